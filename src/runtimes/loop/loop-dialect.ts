import type { WorkerDialect } from "../start-worker.ts";
import { parseLoopEvent } from "./parse-loop-event.ts";

/** How the program's output is read. */
export const LOOP_DIALECT: Omit<WorkerDialect, "cleanUp"> = {
	// Every line is a part of an answer: reasoning and arguments count, though they are not events of the contract.
	readLine(line) {
		const event = parseLoopEvent(line);
		return { isActivity: true, events: event ? [event] : [] };
	},
	// The program repeats nothing: whatever was too long is missing.
	readSkippedLine: () => ({ events: [], lost: "a part of its output" }),
};
