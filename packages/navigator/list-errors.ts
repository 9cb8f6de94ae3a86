import type { NavigatorToolStep } from "./navigator-tool-step.ts";

/** What an answer can take of a text that may be long. */
const MAX_CHARS = 200;

/** Failed calls: the tool's name, and the first line of what it said. */
export function listErrors(steps: readonly NavigatorToolStep[]): string[] {
	return steps
		.filter(({ isError }) => isError)
		.map(({ tool, text }) => `${tool}: ${(text.split("\n", 1)[0] ?? "").slice(0, MAX_CHARS).toWellFormed()}`);
}
