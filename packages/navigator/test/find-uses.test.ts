import { describe, expect, it } from "vitest";
import { indexTree } from "../../../test/helpers/navigator-tree.ts";
import { findUses } from "../find-uses.ts";

const INDEX = indexTree(
	Object.entries({
		"README.md": "You can also call res.json(body), or next().\n",
		"lib/response.js": [
			"res.json = function json(obj) {",
			"  // res.json() is not called here",
			"  return this.send(JSON.stringify(obj));",
			"};",
			"res.jsonp = function jsonp(obj) {",
			"  return res.json(obj);",
			"};",
			"function handle(req, res, next) {",
			"  next(createError(406));",
			"}",
			"next(createError(406, {",
			"  use: use(function (req) {}),",
			"}));",
		].join("\n"),
		"lib/session.py": "key = self._get_or_create_session_key()\nsession = get_or_create(key)\n",
		"src/注文処理.ts": "export function 合計金額() {}\nconst 合計 = 合計金額();\n",
		"test/response.test.js": "it('res.json', () => res.json({}));\n",
		"lib/app.ts":
			'import {\n\tcreateError,\n\ttype Failure,\n} from "./error.ts";\nconst { createError: other } = x;\n',
		"lib/app.py": "from errors import (\n    create_error,\n)\ncreate_error()\n",
		"types.d.ts": "interface Response {\n  json(body: object): this;\n}\n",
	}),
);
const found = (name: string) =>
	findUses(INDEX, name).map(({ path, line, kind }) => `${kind} ${path}:${line}`);

describe("findUses", () => {
	it("finds a dotted name, and takes neither prose, comments nor strings for calls", () => {
		expect(found("res.json")).toEqual([
			"definition lib/response.js:1",
			"call lib/response.js:6",
			"call test/response.test.js:1",
		]);
	});

	it("takes a parameter for no call, and a call for no definition", () => {
		expect(found("next")).toEqual([
			"reference lib/response.js:8",
			"call lib/response.js:9",
			"call lib/response.js:11",
		]);
		expect(found("use")).toEqual(["call lib/response.js:12"]);
	});

	it("takes a longer name for another one", () => {
		expect(found("get_or_create")).toEqual(["call lib/session.py:2"]);
	});

	it("knows names in every script", () => {
		expect(found("合計金額")).toEqual(["definition src/注文処理.ts:1", "call src/注文処理.ts:2"]);
	});

	it("takes a name in a list of imported names for an import, and none below the list", () => {
		expect(found("createError").filter((use) => use.includes("app.ts"))).toEqual([
			"import lib/app.ts:2",
			"reference lib/app.ts:5",
		]);
		expect(found("create_error")).toEqual(["import lib/app.py:2", "call lib/app.py:4"]);
	});

	it("takes a signature without a body for no call", () => {
		expect(found("json").filter((use) => use.includes("types.d.ts"))).toEqual(["declaration types.d.ts:2"]);
	});
});
