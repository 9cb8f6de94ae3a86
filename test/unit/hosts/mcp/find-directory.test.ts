import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseRoot, findNamedDirectory } from "../../../../src/hosts/mcp/find-directory.ts";

describe("the directory of a call", () => {
	let base: string;
	const at = (name: string): string => join(base, name);
	const root = (name: string) => ({ uri: pathToFileURL(at(name)).href });
	beforeAll(() => {
		base = mkdtempSync(join(tmpdir(), "deputize-roots-"));
		for (const name of ["a b", "two", "two/deep"]) mkdirSync(at(name));
		writeFileSync(at("file"), "");
	});
	afterAll(() => rmSync(base, { recursive: true, force: true }));

	it("is the one on the command line before the one in the environment", () => {
		const env = { CLAUDE_PROJECT_DIR: at("two") };
		expect(findNamedDirectory({ named: at("a b"), env, cwd: base })).toBe(at("a b"));
		expect(findNamedDirectory({ env, cwd: base })).toBe(at("two"));
		expect(findNamedDirectory({ env: { CLAUDE_PROJECT_DIR: at("gone") }, cwd: base })).toBeUndefined();
		expect(findNamedDirectory({ env: {}, cwd: base })).toBeUndefined();
	});

	it("is the root that the server was started in, else the first that is a directory", () => {
		const roots = [{ uri: "https://example.org/" }, root("file"), root("gone"), root("a b"), root("two")];
		expect(chooseRoot({ roots }, at("two/deep"))).toBe(at("two"));
		expect(chooseRoot({ roots }, "/")).toBe(at("a b"));
	});

	it.each([[undefined], [{}], [{ roots: "x" }], [{ roots: [1, {}, { uri: 2 }, { uri: "file:///%00" }] }]])(
		"is not taken from %j",
		(answer) => {
			expect(chooseRoot(answer, base)).toBeUndefined();
		},
	);
});
