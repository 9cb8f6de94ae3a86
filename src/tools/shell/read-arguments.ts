import type { ToolOutcome } from "../../contract/tool.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** How a tool says no inside its own file; one place turns it into an outcome for the model. */
export class ToolInputError extends Error {}

export function readArguments(input: unknown, known: readonly string[]): Arguments {
	if (typeof input !== "object" || input === null || Array.isArray(input)) {
		throw new ToolInputError("the arguments must be one JSON object");
	}
	const unknown = Object.keys(input).filter((name) => !known.includes(name));
	if (unknown.length > 0) {
		throw new ToolInputError(`unknown argument ${unknown.join(", ")}; known are ${known.join(", ")}`);
	}
	return input as Arguments;
}

export function readText(args: Arguments, name: string, fallback?: string): string {
	const value = args[name];
	if ((value === undefined || value === null) && fallback !== undefined) return fallback;
	if (typeof value !== "string") throw new ToolInputError(`${name} must be a string`);
	if (value.includes("\0")) throw new ToolInputError(`${name} must not contain a zero byte`);
	return value;
}

export function readCount(args: Arguments, name: string, fallback: number, maximum: number): number {
	const value = args[name];
	if (value === undefined || value === null) return fallback;
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
		throw new ToolInputError(`${name} must be a whole number, 0 or more`);
	}
	return Math.min(value, maximum);
}

/** The JSON a model gets back, in the contract's shape. */
export function toReply(fields: Readonly<Record<string, unknown>>): ToolOutcome {
	return { text: JSON.stringify(fields), details: fields, isError: false };
}

/** Runs the body of a tool; what it refuses becomes `{error}` for the model, never an exception. */
export async function answerInput(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ToolInputError)) throw error;
		const fields = { error: error.message };
		return { text: JSON.stringify(fields), details: fields, isError: true };
	}
}
