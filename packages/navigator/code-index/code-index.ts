import type { Syntax } from "../syntax/syntax.ts";

/** A stretch of a file that belongs together: usually one definition with the comment above it. */
export interface IndexedPassage {
	/** Line numbers, counted from 1, both inclusive. */
	readonly first: number;
	readonly last: number;
	/** Numbers of the distinct words inside, and how often each occurs. */
	readonly words: Uint32Array;
	readonly counts: Uint8Array;
}

/** What a file is about, by the numbers of its words. */
export interface FileWords {
	readonly passages: readonly IndexedPassage[];
	/** How many words the file has. */
	readonly length: number;
	/** Numbers of the words in the path. */
	readonly pathWords: Uint32Array;
	/** Numbers of the words in the names that the file defines. */
	readonly definedWords: ReadonlySet<number>;
}

export interface IndexedFile extends FileWords {
	readonly path: string;
	/** Read when it is first asked for, where the words came from a cache. */
	readonly text: string;
}

/** Numbered words: lower-case parts of identifiers, and whole identifiers. */
export interface KnownWords {
	readonly words: readonly string[];
	/** The stem of each word, by its number. */
	readonly stems: readonly string[];
	/** Numbers of the words that only occur as whole identifiers of several parts. */
	readonly wholes: ReadonlySet<number>;
}

/** Everything that was read of a tree. */
export interface CodeIndex extends KnownWords {
	readonly files: readonly IndexedFile[];
	/** Files that were listed but not indexed: too many, too large, not text. */
	readonly leftOut: number;
	/** How many of them because there are too many. */
	readonly cutOff: number;
	/** Files that were left out and contain a name of the task literally, by that name. */
	readonly unread?: ReadonlyMap<string, readonly string[]>;
	/** What parsing the files tells; absent where only their names may be known. */
	readonly syntax?: Syntax;
}
