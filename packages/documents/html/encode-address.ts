/** Percent-encodes what would end a Markdown link early. `encodeURIComponent` leaves brackets alone. */
export function encodeAddress(address: string): string {
	return address.replace(
		/[()<>\s]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
	);
}
