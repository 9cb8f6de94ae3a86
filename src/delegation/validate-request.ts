import { isObject, type JsonObject, showValue } from "@deputize/ground";
import { DelegationError } from "../contract/error-codes.ts";
import { isAgentName, LIMITS, SESSION_ID_PATTERN } from "../contract/limits.ts";
import type { DelegationRequest } from "../contract/request.ts";

const FIELDS = ["agent", "task", "sessionId"];

/** Unknown input to a request. Every refusal names the field, the value and what to do. */
export function validateRequest(input: unknown): DelegationRequest {
	if (!isObject(input))
		throw invalidRequest(`The input must be an object with agent and task, not ${showValue(input)}.`);
	const extra = Object.keys(input).filter((name) => !FIELDS.includes(name) && input[name] !== undefined);
	if (extra.length > 0) {
		throw invalidRequest(
			`Unknown field${extra.length > 1 ? "s" : ""} ${extra.map(showValue).join(", ")}: only agent, task and sessionId are accepted. One call runs one agent in the foreground; make several calls to run several.`,
		);
	}
	const agent = requireText(input, "agent", "the name of an agent").normalize();
	if (!isAgentName(agent)) {
		throw invalidRequest(
			`${showValue(agent)} cannot be the name of an agent: letters and digits of any script, -, _ and . only, at most ${LIMITS.maxAgentNameChars}.`,
		);
	}
	const task = requireText(input, "task", "what the agent should do");
	checkTask(task);
	const { sessionId } = input;
	// Models fill in optional fields with nothing.
	if (sessionId === undefined || sessionId === "") return { agent, task };
	if (typeof sessionId !== "string" || !SESSION_ID_PATTERN.test(sessionId)) {
		throw invalidRequest(
			`sessionId must be the UUID that an earlier result of this agent gave, not ${showValue(sessionId)}.`,
		);
	}
	return { agent, task, sessionId };
}

function requireText(fields: JsonObject, name: string, meaning: string): string {
	const value = fields[name];
	if (value === undefined) throw invalidRequest(`The field ${name} is missing: give ${meaning}.`);
	if (typeof value !== "string") throw invalidRequest(`${name} must be a string, not ${showValue(value)}.`);
	if (value.trim() === "") throw invalidRequest(`${name} is empty: give ${meaning}.`);
	return value;
}

function checkTask(task: string): void {
	const nul = task.indexOf("\0");
	if (nul !== -1) throw invalidRequest(`task contains a NUL character at position ${nul}; remove it.`);
	if (!task.isWellFormed()) {
		throw invalidRequest(
			"task contains half of a surrogate pair, which is not valid text; remove or correct that character.",
		);
	}
	const bytes = Buffer.byteLength(task);
	if (bytes > LIMITS.maxTaskBytes) {
		throw invalidRequest(
			`task has ${bytes} bytes; at most ${LIMITS.maxTaskBytes} are accepted. Put the material in a file and name it.`,
		);
	}
}

function invalidRequest(message: string): DelegationError {
	return new DelegationError("INVALID_INPUT", message);
}
