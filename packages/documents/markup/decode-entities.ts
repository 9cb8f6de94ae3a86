import { walkMarkup } from "./walk-markup.ts";

/** Named and numeric character references of HTML become characters; tags stay as they are. */
export function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	// A piece without "<" is text to the tokenizer, whatever else is in it.
	return text.split("<").map(decodePiece).join("<");
}

function decodePiece(piece: string): string {
	if (!piece.includes("&")) return piece;
	const parts: string[] = [];
	walkMarkup(piece, {
		open: () => undefined,
		close: () => undefined,
		text: (text) => void parts.push(text),
	});
	return parts.join("");
}
