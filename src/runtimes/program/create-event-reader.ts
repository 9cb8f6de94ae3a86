import type { ChildEvent } from "../../contract/event.ts";
import { asText, type JsonObject } from "../../json/json-values.ts";
import type { EventReader } from "./agent-program.ts";
import { toFailedMessage } from "./to-failed-message.ts";

type ReadEvent = (event: JsonObject) => readonly ChildEvent[];

/** What one program says, by the type of its lines. */
export interface ProgramDialect extends Pick<EventReader, "sessionName" | "total"> {
	readonly readers: Readonly<Record<string, ReadEvent>>;
	/** The type of the lines that a program writes while it waits before a retry. */
	readonly retryType: string;
	/** The type of the line that says that no retry helped. */
	readonly failureType: string;
	/** Lines of somebody else. */
	isForeign?(event: JsonObject): boolean;
}

/** What every dialect needs to say. */
export interface ReaderSteps {
	/** The program waits before it asks its provider again. Without a delay it is said once. */
	backOff(delayMs?: number): readonly ChildEvent[];
	/** It would go on trying what cannot succeed: nothing is read behind this, and the program is ended. */
	giveUp(errorMessage: string, status?: number): readonly ChildEvent[];
}

/** Reads the lines of a program in its dialect, and keeps what is the same for all: retries, and when there is no hope. */
export function createEventReader(describe: (steps: ReaderSteps) => ProgramDialect): EventReader {
	let isRetrying = false;
	let isHopeless = false;
	const dialect = describe({
		backOff(delayMs) {
			const isNew = !isRetrying;
			isRetrying = true;
			if (delayMs !== undefined) return [{ type: "backoff-start", delayMs }];
			return isNew ? [{ type: "backoff-start" }] : [];
		},
		giveUp(errorMessage, status) {
			isHopeless = true;
			return [toFailedMessage(errorMessage, status), { type: "settled", aborted: false }];
		},
	});
	return {
		sessionName: dialect.sessionName,
		total: dialect.total,
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
