import { stemWord } from "./stem-word.ts";

/** "parseHTTPHeader_v2" → parse, http, header, v2. Everything that is not a letter or a digit separates. */
export function splitIdentifier(text: string): string[] {
	return text
		.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean)
		.map((part) => part.toLowerCase());
}

/** The stems of the words inside a text, identifiers taken apart. */
export function stemsOf(text: string): string[] {
	return splitIdentifier(text).map(stemWord);
}
