import { join } from "node:path";
import type { CodeIndex } from "./code-index.ts";
import { indexTexts } from "./index-texts.ts";
import { readTreeFile } from "./read-tree-file.ts";

export interface IndexSource {
	readonly root: string;
	/** Paths below the root, with slashes. What comes last is left out when there is too much. */
	readonly paths: readonly string[];
	/** Only the names of the files: for whoever may list but not read. */
	readonly namesOnly?: boolean;
	readonly signal?: AbortSignal;
}

const MAX_INDEXED_FILES = 20_000;
const MAX_INDEXED_BYTES = 48_000_000;
const READ_AT_ONCE = 16;
/** Machine-written, or not text. */
const NOT_INDEXED =
	/(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]*\.lock)$|\.(?:map|snap|tsbuildinfo|min\.[cm]?js|min\.css|svg|png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|xz|bz2|zst|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|node|wasm|onnx|bin|dat|db|sqlite3?|mp[34]|mov|avi|mkv|wav|ogg|flac|pyc|docx?|xlsx?|pptx?|parquet|npy|npz|pt|safetensors)$/i;

/** Reads and indexes a tree, within bounds. Files that cannot be read are left out; that is no error. */
export async function buildCodeIndex(source: IndexSource): Promise<CodeIndex> {
	const wanted = source.paths.filter((path) => !NOT_INDEXED.test(path)).slice(0, MAX_INDEXED_FILES);
	const texts: [string, string][] =
		source.namesOnly === true ? wanted.map((path) => [path, ""]) : await readTexts(source, wanted);
	return indexTexts(texts, source.paths.length - texts.length);
}

async function readTexts(
	{ root, signal }: IndexSource,
	paths: readonly string[],
): Promise<[string, string][]> {
	const texts: [string, string][] = [];
	let bytes = 0;
	for (let at = 0; at < paths.length && bytes < MAX_INDEXED_BYTES; at += READ_AT_ONCE) {
		signal?.throwIfAborted();
		const batch = paths.slice(at, at + READ_AT_ONCE);
		const read = await Promise.all(batch.map((path) => readTreeFile(join(root, path))));
		for (const [index, file] of read.entries()) {
			if (file === undefined) continue;
			bytes += file.size;
			texts.push([batch[index] ?? "", file.text]);
		}
	}
	return texts;
}
