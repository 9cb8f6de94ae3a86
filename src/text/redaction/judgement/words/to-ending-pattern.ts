const LONGEST_BEGINNING = 24;

/** Matches a word that ends in one of these, after letters that may be glued to its front. */
export function toEndingPattern(endings: ReadonlySet<string>): RegExp {
	return new RegExp(`^[a-z]{0,${LONGEST_BEGINNING}}(?:${[...endings].join("|")})s?$`);
}
