import type { Redact } from "../delegation/redact.ts";

const MAX_TEXT_CHARS = 20_000;
/** Of all texts of one transcript together. */
const MAX_ALL_CHARS = 4 * 1024 * 1024;
const MAX_TEXT_CHARS_BEYOND = 500;

/** Redacts and shortens the texts of one transcript, so that no run is too large to be shown. */
export function createShownText(redact: Pick<Redact, "head">): (text: string) => string {
	let chars = 0;
	return (text) => {
		const max = chars < MAX_ALL_CHARS ? MAX_TEXT_CHARS : MAX_TEXT_CHARS_BEYOND;
		const shown: string = redact.head(text, max);
		chars += shown.length;
		return text.length > max ? `${shown}\n… ${text.length - max} more characters` : shown;
	};
}
