// `node scripts/generate-grammars.mjs`: writes data/grammars, the grammars of programming languages that the navigator reads
// code with. Compressed, because they are 21 MB otherwise; as they come from @vscode/tree-sitter-wasm, a development
// dependency, whose version decides. The program that runs them is copied by the build.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "../node_modules/@vscode/tree-sitter-wasm");
/** Languages that define and call nothing. */
const LEFT_OUT = /-(?:css|ini|regex)\.wasm$/;

/** Names below data/grammars, each with the file it is made of. */
export function listGrammarFiles() {
	const modules = readdirSync(join(SOURCE, "wasm")).filter(
		(name) => name.endsWith(".wasm") && !LEFT_OUT.test(name),
	);
	return [
		...modules.map((name) => ({ name: `${name}.br`, source: join(SOURCE, "wasm", name) })),
		{ name: "LICENSE", source: join(SOURCE, "LICENSE") },
	];
}

function compress(bytes) {
	return brotliCompressSync(bytes, {
		params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const directory = fileURLToPath(new URL("../data/grammars", import.meta.url));
	mkdirSync(directory, { recursive: true });
	for (const { name, source } of listGrammarFiles()) {
		const bytes = readFileSync(source);
		writeFileSync(join(directory, name), name.endsWith(".br") ? compress(bytes) : bytes);
	}
}
