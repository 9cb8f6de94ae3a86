import { parseJsonObject } from "../json/parse-json.ts";

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
	let rest = Buffer.alloc(0);
	let isSkipping = false;
	return (piece) => {
		let bytes = Buffer.concat([rest, piece]);
		for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a)) {
			const message = isSkipping ? undefined : parseJsonObject(bytes.toString("utf8", 0, end))?.["message"];
			isSkipping = false;
			if (typeof message === "string" && message !== "") onMessage(message);
			bytes = bytes.subarray(end + 1);
		}
		isSkipping ||= bytes.length > MAX_LINE_BYTES;
		rest = isSkipping ? Buffer.alloc(0) : Buffer.from(bytes);
	};
}
