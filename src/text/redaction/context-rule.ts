/**
 * A secret told by the words around it rather than by a name directly before it. `literals`, in lower case, are found
 * first, by one search for all rules together; only there is `pattern` tried, anchored.
 */
export interface ContextRule {
	readonly kind: string;
	readonly literals: readonly string[];
	/** Sticky, with indices. The groups named `secret` and `secret2` are what is replaced. */
	readonly pattern: RegExp;
	readonly accept: (secret: string, match: RegExpExecArray) => boolean;
}

/** A secret with neither a fixed part nor a name, in texts that mention `requires` (any case) at all. */
export interface StructureRule {
	readonly kind: string;
	readonly requires: RegExp;
	/** Global. The whole match is replaced. */
	readonly pattern: RegExp;
	readonly accept?: (secret: string) => boolean;
}
