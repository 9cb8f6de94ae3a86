import { asObject, createLineSplitter, parseJsonObject } from "@deputize/ground";
import type { ChildAnswer } from "../contract/child-question.ts";

/** These are typed by people. */
const MAX_MESSAGE_CHARS = 16_384;
/** JSON needs at most six bytes for a character. */
const MAX_LINE_BYTES = 8 * MAX_MESSAGE_CHARS;

/** One message for a child, as a line of JSON. */
export function toLifelineMessage(text: string): string {
	return `${JSON.stringify({ message: text.slice(0, MAX_MESSAGE_CHARS) })}\n`;
}

/** The answer to a question of a child, as a line of JSON. Without a value, nobody answered. */
export function toLifelineAnswer(id: string, value: ChildAnswer): string {
	const text = typeof value === "string" ? value.slice(0, MAX_MESSAGE_CHARS) : value;
	return `${JSON.stringify({ answer: { id, value: text } })}\n`;
}

export interface LifelineListeners {
	readonly onMessage?: (text: string) => void;
	readonly onAnswer?: (id: string, value: ChildAnswer) => void;
}

/** Assembles messages from the chunks in which they arrive. A line that is too long, or not one of ours, is skipped. */
export function readLifelineMessages({ onMessage, onAnswer }: LifelineListeners): (piece: Buffer) => void {
	return createLineSplitter({
		maxLineBytes: MAX_LINE_BYTES,
		onLine: (line) => {
			const parsed = parseJsonObject(line.toString("utf8"));
			const message = parsed?.["message"];
			if (typeof message === "string" && message !== "") onMessage?.(message);
			const { id, value } = asObject(parsed?.["answer"]);
			if (typeof id === "string") onAnswer?.(id, isAnswer(value) ? value : undefined);
		},
	}).push;
}

function isAnswer(value: unknown): value is ChildAnswer {
	return typeof value === "string" || typeof value === "boolean";
}
