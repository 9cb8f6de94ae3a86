type TermKind = "symbol" | "phrase" | "path" | "compound" | "word";

/** Something from the task that can be looked for. */
export interface SearchTerm {
	/** As the task writes it. */
	readonly text: string;
	readonly kind: TermKind;
	/** Stems of the words inside; one for a plain word. */
	readonly stems: readonly string[];
	/** How much the task insists on it, before rarity is known. */
	readonly weight: number;
	/** A name only by its place in the sentence: where the tree does not have it, it is a word like others. */
	readonly isPlainWord?: true;
}

/** Whether a term is a name, which words decide: a symbol, a path, or a text in quotes. */
export function isNaming({ kind }: SearchTerm): boolean {
	return kind === "symbol" || kind === "phrase" || kind === "path";
}

/** What kind of place the task asks for; each one changes which files count. */
export interface TaskWishes {
	readonly tests: boolean;
	/** Documents may be meant, or code that is about documents. */
	readonly documents: boolean;
	/** Documents are meant: "Where is it documented?" */
	readonly documentsOnly: boolean;
	readonly examples: boolean;
	readonly changelog: boolean;
	readonly types: boolean;
	/** Who calls or imports it, rather than where it is defined. */
	readonly usages: boolean;
	/** The line that throws, refuses or complains, rather than the declaration of what is thrown. */
	readonly failures: boolean;
	readonly overview: boolean;
	/** About the session itself: "what did I ask first?" */
	readonly earlier: boolean;
}

/** Whether the task asks for files that speak of code rather than for the code. */
export function isAboutCode({ tests, documentsOnly, examples }: TaskWishes): boolean {
	return !tests && !documentsOnly && !examples;
}

export interface SearchTerms {
	readonly terms: readonly SearchTerm[];
	readonly urls: readonly string[];
	readonly wishes: TaskWishes;
}
