import { createLineSplitter, parseJsonObject } from "@deputize/ground";

/** These are typed by people. */
const MAX_MESSAGE_CHARS = 16_384;
/** JSON needs at most six bytes for a character. */
const MAX_LINE_BYTES = 8 * MAX_MESSAGE_CHARS;

/** One message for a child, as a line of JSON. */
export function toLifelineMessage(text: string): string {
	return `${JSON.stringify({ message: text.slice(0, MAX_MESSAGE_CHARS) })}\n`;
}

/** Assembles messages from the chunks in which they arrive. A line that is too long, or not one of ours, is skipped. */
export function readLifelineMessages(onMessage: (text: string) => void): (piece: Buffer) => void {
	return createLineSplitter({
		maxLineBytes: MAX_LINE_BYTES,
		onLine: (line) => {
			const message = parseJsonObject(line.toString("utf8"))?.["message"];
			if (typeof message === "string" && message !== "") onMessage(message);
		},
	}).push;
}
