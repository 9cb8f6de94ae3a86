/**
 * A secret told by the words around it rather than by a name directly before it.
 * `literals` are tested first, in lower case; only a text that has one of them is searched with `pattern`.
 */
export interface ContextRule {
	readonly kind: string;
	readonly literals: readonly string[];
	/** Global, with indices. Groups named `secret` (and `secret2`) are what is replaced. */
	readonly pattern: RegExp;
	readonly accept: (secret: string, match: RegExpExecArray) => boolean;
}
