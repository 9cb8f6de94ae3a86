import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	chooseExtensions,
	createModelExtensions,
} from "../../../../../src/hosts/pi/parent/find-model-extensions.ts";
import { listNamedExtensions } from "../../../../../src/hosts/pi/parent/list-extensions.ts";
import type { PiLibrary } from "../../../../../src/hosts/pi/parent/pi-library.ts";
import { createTestHome, type TestHome } from "../../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const PLAIN = 'export default (pi) => pi.registerProvider("mine", { baseUrl: "x" });\n';
const OTHER = "export default (pi) => pi.registerProvider('theirs', {});\n";
const TOOL = 'export default (pi) => pi.registerTool({ name: "mine" });\n';

const write = (files: Readonly<Record<string, string>>): readonly string[] =>
	Object.entries(files).map(([path, text]) =>
		home.write(join(home.agentDirectory, "extensions", path), text),
	);

describe("the extensions of a model's provider", () => {
	it("are those that register a provider under its name", () => {
		const [plain, ...rest] = write({ "plain.ts": PLAIN, "other.ts": OTHER, "tool.ts": TOOL });
		expect(chooseExtensions("mine", [plain ?? "", ...rest])).toEqual([plain]);
	});

	it("are found in minified source and under another name of the function", () => {
		const [minified, ...rest] = write({
			"minified.js": "export default p=>{const{registerProvider:r}=p;r.call(p,`mine`,{})};",
			"other.ts": OTHER,
		});
		expect(chooseExtensions("mine", [minified ?? "", ...rest])).toEqual([minified]);
	});

	it("are all that register some provider when the name is put together", () => {
		const [built, other] = write({
			"built.ts": 'export default (pi) => pi.registerProvider("mi" + "ne", {});',
			"other.ts": OTHER,
		});
		const [tool] = write({ "tool.ts": TOOL });
		expect(chooseExtensions("mine", [built ?? "", other ?? "", tool ?? ""])).toEqual([built, other]);
	});

	it("are found when the call is in another file of the package, but not in one it depends on", () => {
		const [entry] = write({
			"pack/src/index.ts": 'export { default } from "./provider.ts";',
			"pack/src/provider.ts": PLAIN,
			"pack/package.json": "{}",
		});
		const [depending] = write({
			"tool/index.ts": TOOL,
			"tool/node_modules/lib/index.js": PLAIN,
		});
		expect(chooseExtensions("mine", [depending ?? "", entry ?? ""])).toEqual([entry]);
	});

	it("are all there are when none can be seen to register one", () => {
		const files = write({ "a.ts": 'export { default } from "some-package";', "b.ts": TOOL });
		expect(chooseExtensions("mine", files)).toEqual(files);
	});

	it("include what is too large to be ruled out", () => {
		const [tool, large] = write({ "tool.ts": TOOL, "large.js": `/*${"x".repeat(5_000_000)}*/` });
		mkdirSync(join(home.agentDirectory, "extensions", "empty"));
		expect(chooseExtensions("mine", [tool ?? "", large ?? ""])).toEqual([large]);
	});
});

describe("a model", () => {
	const open = (version: string, registered: readonly string[]) =>
		createModelExtensions(
			{
				VERSION: version,
				SettingsManager: { create: () => ({}) },
				DefaultPackageManager: class {
					resolve = async () => ({ extensions: write({ "plain.ts": PLAIN }).map(toResource) });
					resolveExtensionSources = async () => ({ extensions: [] });
				},
			} as unknown as PiLibrary,
			{
				cwd: home.project,
				isProjectTrusted: () => false,
				modelRegistry: {
					getRegisteredProviderIds: () => registered,
					getAll: () => registered.map((provider) => ({ provider, id: "m" })),
				},
			} as unknown as Parameters<typeof createModelExtensions>[1],
		);
	const toResource = (path: string) => ({ path, enabled: true });

	it("that pi knows by itself needs no extension", async () => {
		expect((await open("1.5.0", ["mine"]))("anthropic/claude")).toEqual([]);
		expect((await open("1.5.0", []))("mine/m")).toEqual([]);
	});

	it("may be named with its provider, with a thinking level, or by its id alone", async () => {
		const find = await open("0.87.1", ["mine"]);
		for (const model of ["mine/m", "mine/m:high", "m"]) {
			expect(find(model).map((file) => file.endsWith("plain.ts"))).toEqual([true]);
		}
	});

	it("of the provider that pi itself ships as an extension is loaded by its own name where that is needed", async () => {
		expect((await open("1.5.0", ["llama.cpp"]))("llama.cpp/m")).toEqual(["builtin:llama.cpp"]);
		expect((await open("0.87.1", ["llama.cpp"]))("llama.cpp/m")).toEqual([]);
	});
});

describe("extensions on the command line", () => {
	it("are what follows the option", () => {
		expect(listNamedExtensions(["pi", "-e", "a.ts", "--extension", "npm:b", "-e"])).toEqual([
			"a.ts",
			"npm:b",
		]);
	});
});
