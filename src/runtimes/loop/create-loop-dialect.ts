import { asText, toOneLine } from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import type { WorkerDialect } from "../start-worker.ts";
import { parseLoopEvent } from "./parse-loop-event.ts";
import type { LoopModel } from "./resolve-loop-model.ts";

const MAX_NAME_CHARS = 200;

/** How the program's output is read. */
export function createLoopDialect(asked: Pick<LoopModel, "name" | "model">): Omit<WorkerDialect, "cleanUp"> {
	return {
		// Every line is a part of an answer: reasoning and arguments count, though they are not events of the contract.
		readLine(line) {
			const event = parseLoopEvent(line);
			return { isActivity: true, events: event ? [nameAnswering(event, asked)] : [] };
		},
		// The program repeats nothing: whatever was too long is missing.
		readSkippedLine: () => ({ events: [], lost: "a part of its output" }),
	};
}

/**
 * Some servers have one model and answer with it whatever they are asked for, and routers choose one. A longer form of the name
 * that was asked for, such as one with its date, is the same model.
 */
function nameAnswering(event: ChildEvent, { name, model }: Pick<LoopModel, "name" | "model">): ChildEvent {
	if (event.type !== "assistant-message" || event.model === undefined) return event;
	const { model: answered, ...rest } = event;
	const served = toOneLine(asText(answered)).slice(0, MAX_NAME_CHARS);
	if (served === "" || served.toLowerCase().includes(model.toLowerCase())) return rest;
	return { ...rest, model: `${name.slice(0, name.length - model.length)}${served}` };
}
