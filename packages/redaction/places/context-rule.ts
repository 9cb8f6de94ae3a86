/**
 * A secret recognized by the words around it rather than by a name directly before it. `literals`, in lower case, are found
 * first, by one search for all rules together; only there is `pattern` tried, anchored.
 */
export interface ContextRule {
	readonly kind: string;
	readonly literals: readonly string[];
	/** Sticky. The groups named `secret` and `secret2` are what is replaced. */
	readonly pattern: RegExp;
	/** Without it, whatever the pattern matches. */
	readonly accept?: (secret: string, match: RegExpExecArray) => boolean;
	/** Global. Comes soon after the literal wherever the pattern fits; saves trying long patterns where they cannot match. */
	readonly follows?: RegExp;
}
