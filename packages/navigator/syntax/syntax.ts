import type { Steps } from "@deputize/ground";
import { type FileFacts, type SourceFile, toFileFacts } from "./file-facts.ts";
import { findGrammar } from "./find-grammar.ts";
import type { Grammar } from "./grammars.ts";
import { learnFile } from "./learn-file.ts";
import { openMarksCache } from "./marks-cache.ts";
import type { OpenGrammar, OpenGrammars } from "./open-grammars.ts";

/** What is known of a tree by parsing its files, and a way to know more. */
export interface Syntax {
	/** Parses those files that were not parsed yet, up to so many bytes. */
	learn(files: readonly SourceFile[], maxBytes: number): Steps<void>;
	/** Undefined for a file that has no grammar, could not be parsed or was not. */
	factsOf(file: SourceFile): FileFacts | undefined;
	/** Throws `Unlearned` when nobody tried to parse some of them. */
	need(files: readonly SourceFile[]): void;
	/** What a text says that is not in the tree, such as a file before a change. Throws `Unlearned` when it was not parsed yet. */
	read(path: string, text: string): FileFacts | undefined;
}

/** Files have to be parsed first: whoever plans without waiting ends with this, and is asked again afterwards. */
export class Unlearned extends Error {
	override readonly name = "Unlearned";
	readonly learn: () => Steps<void>;

	constructor(learn: () => Steps<void>) {
		super("Some files were not parsed yet.");
		this.learn = learn;
	}
}

/** About half a second. */
const MAX_NEEDED_BYTES = 2_000_000;

/** `wordsFile` is where the words of the tree are kept; beside it is room for what was learned. */
export function createSyntax(open: OpenGrammars, wordsFile?: string): Syntax {
	const cache = openMarksCache(wordsFile);
	const known = new Map<SourceFile, FileFacts | undefined>();
	const tried = new Set<SourceFile>();
	function* parse(grammar: Grammar, text: string): Steps<Uint32Array | undefined> {
		const opening = open(grammar);
		if (opening instanceof Promise) yield opening;
		// At once now.
		const opened = open(grammar) as OpenGrammar | undefined;
		return opened && learnFile(opened, text);
	}
	function* learn(files: readonly SourceFile[], maxBytes: number): Steps<void> {
		let bytes = 0;
		for (const file of files) {
			if (known.has(file)) continue;
			const grammar = findGrammar(file.path, file.text);
			const stored = grammar && cache.find(file);
			bytes += grammar === undefined || stored !== undefined ? 0 : file.text.length;
			if (bytes > maxBytes) break;
			const marks = stored ?? (grammar && (yield* parse(grammar, file.text)));
			if (stored === undefined && marks !== undefined) cache.add(file, marks);
			known.set(file, marks && toFileFacts(grammar?.name ?? "", marks, file.text));
			yield;
		}
		cache.save();
	}
	return {
		learn,
		factsOf: (file) => known.get(file),
		need(files) {
			const missing = files.filter((file) => !known.has(file) && !tried.has(file));
			if (missing.length === 0) return;
			throw new Unlearned(function* () {
				yield* learn(missing, MAX_NEEDED_BYTES);
				// What was too much once would be so again.
				for (const file of missing) tried.add(file);
			});
		},
		read: rememberTexts(function* (path, text) {
			const grammar = findGrammar(path, text);
			const marks = grammar && (yield* parse(grammar, text));
			return marks && toFileFacts(grammar?.name ?? "", marks, text);
		}),
	};
}

/** Texts are read once, and at once when their grammar is open. */
function rememberTexts(
	parse: (path: string, text: string) => Steps<FileFacts | undefined>,
): (path: string, text: string) => FileFacts | undefined {
	const known = new Map<string, FileFacts | undefined>();
	return (path, text) => {
		const key = `${path}\0${text}`;
		if (known.has(key)) return known.get(key);
		throw new Unlearned(function* () {
			known.set(key, yield* parse(path, text));
		});
	};
}
