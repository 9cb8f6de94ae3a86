import { expect, it } from "vitest";
import { indexTexts } from "../code-index/index-texts.ts";
import { extractTerms } from "../extract-terms.ts";
import { searchTree } from "../search-tree.ts";

const task = "Where is the proxy address of an outgoing connection chosen?";
const DECLARED = "/* Chooses the proxy address of an outgoing connection. */\nint choose(int connection);\n";
const rank = (files: [path: string, text: string][]): string[] =>
	searchTree(indexTexts(files), { task, ...extractTerms(task) }).ranked.map(({ path }) => path);

it.each([
	["net/config.h", "net/config.c"],
	["include/net/config.h", "src/net/config.c"],
	["include/config.h", "lib/config.c"],
])("puts the body of %s before it: %s", (header, body) => {
	const files: [string, string][] = [
		[header, DECLARED],
		[body, "int choose(int connection) { return connection; }\n"],
		["test/config.c", "int connection;\n"],
	];
	expect(rank(files).slice(0, 2)).toEqual([body, header]);
});

it("takes a file of the same name in another directory for the body only if it is about the question too", () => {
	const far: [string, string][] = [
		["net/config.h", DECLARED],
		["net/proxy.c", "/* The proxy address of an outgoing connection. */\nint proxy;\n"],
		["test/config.c", "int connection;\n"],
	];
	expect(rank(far)[0]).toBe("net/config.h");
	const near: [string, string][] = [
		["net/config.h", DECLARED],
		["core/config.c", "/* The proxy address of an outgoing connection. */\nint proxy;\n"],
	];
	expect(rank(near)[0]).toBe("core/config.c");
});
