const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For text and attribute values of the HTML our own readers write. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

/** Percent-encodes what would end a Markdown link early. `encodeURIComponent` leaves brackets alone. */
export function encodeAddress(address: string): string {
	return address.replace(
		/[()<>\s]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
	);
}
