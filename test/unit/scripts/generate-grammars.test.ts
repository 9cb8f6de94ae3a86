import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { GRAMMARS } from "../../../packages/navigator/syntax/grammars.ts";
// @ts-expect-error a script without declarations
import { listGrammarFiles } from "../../../scripts/generate-grammars.mjs";

const DIRECTORY = join(import.meta.dirname, "../../../data/grammars");
const files = (listGrammarFiles as () => { name: string; source: string }[])();

describe("data/grammars", () => {
	it("is what the package that it was made of contains", () => {
		expect(readdirSync(DIRECTORY).sort()).toEqual(files.map(({ name }) => name).sort());
		for (const { name, source } of files) {
			const kept = readFileSync(join(DIRECTORY, name));
			const bytes = name.endsWith(".br") ? brotliDecompressSync(kept) : kept;
			expect(bytes.equals(readFileSync(source)), name).toBe(true);
		}
	});

	it("has a file for each grammar, and no other one", () => {
		const modules = files.flatMap(({ name }) => /^tree-sitter-(.+)\.wasm\.br$/.exec(name)?.[1] ?? []);
		expect(modules.sort()).toEqual(GRAMMARS.map(({ name }) => name).sort());
	});
});
