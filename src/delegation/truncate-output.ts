import { countLines } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { BoundedText } from "../contract/result.ts";

export interface TruncatedOutput {
	readonly text: BoundedText;
	readonly truncated: boolean;
}

interface TextLimits {
	readonly maxBytes: number;
	readonly maxLines: number;
	/** A sentence about where the whole is. Asked only when something is left out. */
	readonly describeWhole?: (() => string) | undefined;
}

/** In front of the end. The first line after it is never seen at the beginning of a line, where it could pass for a header. */
const GAP = "\n\n[…] ";
/** Lines of the notice, the gap and the blanks around them. */
const FRAME_LINES = 4;
/** The rest is the end, where many answers have their conclusion. */
const HEAD_SHARE = 2 / 3;

/**
 * Cuts text to what a model should receive, keeping its beginning and its end, and says in the text what was kept; all of
 * that together is within the limits. Takes redacted text only: cutting first could split a secret so that no rule finds it.
 */
export function truncateOutput(
	text: RedactedText,
	limits: TextLimits = { maxBytes: LIMITS.maxResultBytes, maxLines: LIMITS.maxResultLines },
): TruncatedOutput {
	const bytes = Buffer.from(text);
	const lines = countLines(text);
	if (bytes.length <= limits.maxBytes && lines <= limits.maxLines) {
		return { text: text as BoundedText, truncated: false };
	}
	const where = limits.describeWhole?.() ?? "";
	const render = (keptBytes: number, keptLines: number): string =>
		`[Output truncated: its beginning and its end, ${keptBytes} of ${bytes.length} bytes and ${keptLines} of ${lines} lines.${where && ` ${where}`}]\n\n`;
	// No number in the notice gets longer than those of the whole.
	const room = Math.max(0, limits.maxBytes - Buffer.byteLength(render(bytes.length, lines) + GAP));
	const roomLines = Math.max(2, limits.maxLines - FRAME_LINES);
	const headLines = Math.ceil(roomLines * HEAD_SHARE);
	const head = cutLines(takeHead(bytes, Math.ceil(room * HEAD_SHARE)), headLines);
	const tail = keepLastLines(
		takeTail(bytes.subarray(Buffer.byteLength(head)), room - Buffer.byteLength(head)),
		Math.max(1, roomLines - headLines),
	);
	const keptLines = Math.min(lines, countLines(head) + countLines(tail));
	const notice = render(Buffer.byteLength(head) + Buffer.byteLength(tail), keptLines);
	return {
		text: takeHead(Buffer.from(`${notice}${head}${GAP}${tail}`), limits.maxBytes) as BoundedText,
		truncated: true,
	};
}

function cutLines(text: string, maxLines: number): string {
	let at = -1;
	for (let line = 0; line < maxLines; line += 1) {
		at = text.indexOf("\n", at + 1);
		if (at === -1) return text;
	}
	return text.slice(0, at);
}

function keepLastLines(text: string, maxLines: number): string {
	let at = text.length;
	for (let line = 0; line < maxLines; line += 1) {
		at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
		if (at === -1) return text;
	}
	return text.slice(at + 1);
}

/** A character that the cut goes through is left out. */
function takeHead(bytes: Buffer, maxBytes: number): string {
	let end = Math.min(bytes.length, Math.floor(maxBytes));
	while (end > 0 && end < bytes.length && isInsideCharacter(bytes[end])) end -= 1;
	return bytes.toString("utf8", 0, end);
}

function takeTail(bytes: Buffer, maxBytes: number): string {
	let start = Math.max(0, bytes.length - Math.max(0, Math.floor(maxBytes)));
	while (start < bytes.length && isInsideCharacter(bytes[start])) start += 1;
	return bytes.toString("utf8", start);
}

function isInsideCharacter(byte = 0): boolean {
	return byte >> 6 === 0b10;
}
