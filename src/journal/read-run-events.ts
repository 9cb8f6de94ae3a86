import { asText, parseJsonObject, parseWith, readPart } from "@deputize/ground";
import type { RunEvent } from "./run-event.ts";

const MAX_READ_BYTES = 2 * 1024 * 1024;

interface RunEventsReading {
	readonly events: readonly RunEvent[];
	/** Where to go on: after the last event that stays. A `writing` event is read again, or what took its place. */
	readonly offset: number;
}

/** Whole events from `offset` on. A missing file has none. Stops where a line is just being written. */
export function readRunEvents(file: string, offset = 0): RunEventsReading {
	const bytes = readPart(file, () => ({ offset, maxBytes: MAX_READ_BYTES }))?.bytes ?? Buffer.alloc(0);
	const events: RunEvent[] = [];
	let at = 0;
	for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, end + 1)) {
		const event = parseRunEvent(bytes.toString("utf8", at, end));
		if (event === undefined) break;
		events.push(event);
		if (event.type === "writing") break;
		at = end + 1;
	}
	return { events, offset: offset + at };
}

function parseRunEvent(line: string): RunEvent | undefined {
	const isType = (value: unknown): boolean => asText(value) !== "";
	return parseWith<RunEvent>(parseJsonObject(line), { type: isType, at: Number.isFinite });
}
