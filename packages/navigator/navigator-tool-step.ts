export interface NavigatorToolStep {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	/** The text the tool returned, errors included. */
	readonly text: string;
	readonly isError: boolean;
}

export interface NavigatorCall {
	readonly tool: string;
	readonly args: Record<string, unknown>;
}

/** What to look at next, given what came back so far. No calls means nothing left to ask here. */
export type PlanTurn<Subject> = (subject: Subject, seen: readonly NavigatorToolStep[]) => PlannedTurn;

export interface PlannedTurn {
	readonly calls: readonly NavigatorCall[];
	/** One short line, shown as the assistant's text. */
	readonly note: string;
}

/** What an answer can take of a text that may be long. */
const MAX_CHARS = 200;

/** Failed calls: the tool's name, and the first line of what it said. */
export function listErrors(steps: readonly NavigatorToolStep[]): string[] {
	return steps
		.filter(({ isError }) => isError)
		.map(({ tool, text }) => `${tool}: ${(text.split("\n", 1)[0] ?? "").slice(0, MAX_CHARS).toWellFormed()}`);
}
