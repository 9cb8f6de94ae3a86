/** `**Title:** a, b and 3 more`; empty without items. */
export function renderRow(title: string, items: readonly string[], most: number): string {
	return items.length === 0 ? "" : `**${title}:** ${renderShortList(items, most)}`;
}

/** `a, b and 3 more`. */
export function renderShortList(items: readonly string[], most: number): string {
	const more = items.length > most ? ` and ${items.length - most} more` : "";
	return `${items.slice(0, most).join(", ")}${more}`;
}

/** The parts that say something, each on lines of its own. */
export function joinSections(sections: readonly string[], separator = "\n"): string {
	return sections.filter((section) => section !== "").join(separator);
}
