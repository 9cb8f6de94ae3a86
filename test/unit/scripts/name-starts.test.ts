import { expect, it } from "vitest";
// @ts-expect-error: a build script without types
import { nameStarts } from "../../../scripts/name-starts.mjs";

const at = (path: string) => `/a clöne/${path}`;
const module = (path: string, imports: string[] = [], code = "", isEntry = false) => ({
	id: at(path),
	code,
	importedIds: imports.map(at),
	isEntry,
});
const entry = (name: string, imports: string[], code = "") => module(`src/${name}.ts`, imports, code, true);

it("puts what the same starts load into one file, and what most of them load into another", () => {
	const modules = [
		entry("one", ["src/a.ts", "src/all.ts"]),
		entry("two", ["src/a.ts", "src/all.ts"]),
		entry("three", ["src/all.ts", "src/own.ts", "packages/redaction/words.ts"]),
		entry("library", ["src/unhurried.ts"]),
		module("src/a.ts", ["src/b.ts"]),
		module("src/b.ts"),
		module("src/all.ts"),
		module("src/own.ts"),
		module("src/unhurried.ts"),
		module("packages/redaction/words.ts"),
	];
	const names = nameStarts(modules, [at("src/one.ts"), at("src/two.ts"), at("src/three.ts")]);
	expect(Object.fromEntries(names)).toEqual({
		[at("src/a.ts")]: "start-src-one-src-two",
		[at("src/b.ts")]: "start-src-one-src-two",
		[at("src/all.ts")]: "start-common",
		[at("src/own.ts")]: "start-src-three",
	});
});

it("follows only the imported names through the index of a package", () => {
	const index = 'export { used } from "./text/used.ts";\nexport { unused } from "./text/unused.ts";';
	const modules = [
		entry("one", ["packages/ground/index.ts"], 'import { used as mine } from "@deputize/ground";'),
		module(
			"packages/ground/index.ts",
			["packages/ground/text/used.ts", "packages/ground/text/unused.ts"],
			index,
		),
		module("packages/ground/text/used.ts"),
		module("packages/ground/text/unused.ts"),
	];
	const names = nameStarts(modules, [at("src/one.ts")]);
	expect(Object.fromEntries(names)).toEqual({ [at("packages/ground/text/used.ts")]: "start-src-one" });
});

it("puts all that a quick start loads into one file", () => {
	const names = nameStarts(
		[entry("cli", ["src/a.ts"]), entry("two", ["src/a.ts"]), module("src/a.ts")],
		[at("src/two.ts")],
		[at("src/cli.ts")],
	);
	expect(Object.fromEntries(names)).toEqual({ [at("src/a.ts")]: "start-quick" });
});
