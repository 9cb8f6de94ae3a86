import { asText, type JsonObject } from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import type { EventReader } from "./agent-program.ts";
import { toFailedMessage } from "./to-failed-message.ts";

type ReadEvent = (event: JsonObject) => readonly ChildEvent[];

/** How the lines of one program are read, by their type. */
export interface ProgramDialect extends Pick<EventReader, "sessionName" | "total"> {
	readonly readers: Readonly<Record<string, ReadEvent>>;
	/** The type of the lines that a program writes while it waits before a retry. */
	readonly retryType: string;
	/** The type of the line that reports that all retries failed. */
	readonly failureType: string;
	/** Lines that are not about this run. */
	isForeign?(event: JsonObject): boolean;
}

/** Events that every dialect produces the same way. */
export interface ReaderSteps {
	/** The program waits before it asks its provider again, because of this. Without a delay it is reported once. */
	backOff(reason: string, delayMs?: number): readonly ChildEvent[];
	/** The program would keep trying what cannot succeed: nothing more is read, and it is terminated. */
	giveUp(errorMessage: string, status?: number): readonly ChildEvent[];
}

/** Reads the lines of a program in its dialect, and handles what is the same for all: retries and giving up. */
export function createEventReader(describe: (steps: ReaderSteps) => ProgramDialect): EventReader {
	let isRetrying = false;
	let isHopeless = false;
	const dialect = describe({
		backOff(reason, delayMs) {
			const isNew = !isRetrying;
			isRetrying = true;
			if (delayMs !== undefined) return [{ type: "backoff-start", delayMs, reason }];
			return isNew ? [{ type: "backoff-start", reason }] : [];
		},
		giveUp(errorMessage, status) {
			isHopeless = true;
			return [toFailedMessage(errorMessage, status), { type: "settled", aborted: false }];
		},
	});
	return {
		sessionName: () => dialect.sessionName(),
		total: () => dialect.total(),
		isHopeless: () => isHopeless,
		read(event) {
			if (isHopeless || dialect.isForeign?.(event)) return [];
			const type = asText(event["type"]);
			const isAnswer = isRetrying && type !== dialect.retryType;
			if (isAnswer) isRetrying = false;
			const events = dialect.readers[type]?.(event) ?? [];
			return isAnswer ? [{ type: "backoff-end", success: type !== dialect.failureType }, ...events] : events;
		},
	};
}
