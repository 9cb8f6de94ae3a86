import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import type { GrammarFiles } from "@deputize/navigator";
import { locatePackageFile } from "../entry-points.ts";

/** Made by scripts/generate-grammars.mjs and the build, and read when a question first needs one: nobody else waits for them. */
export const GRAMMAR_FILES: GrammarFiles = {
	loadRuntime: () => createRequire(import.meta.url)(locatePackageFile("dist/tree-sitter.cjs")),
	readModule(language) {
		const name = language === undefined ? "tree-sitter" : `tree-sitter-${language}`;
		return brotliDecompressSync(readFileSync(locatePackageFile(`data/grammars/${name}.wasm.br`)));
	},
};
