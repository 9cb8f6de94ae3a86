import { asObject, defined, ToolError } from "@deputize/ground";
import type { HostNeutralTool, ToolOutcome } from "../contract/tool.ts";
import { toErrorOutcome } from "../contract/tool-error.ts";
import type { ToolKind } from "./tool-rows.ts";

export interface FinishedCall {
	readonly tool: string;
	readonly kind: ToolKind;
	readonly ok: boolean;
	readonly code?: string;
	readonly durationMs: number;
	/** One line about what the call was for. */
	readonly summary: string;
}

/** Arguments that say what a call was about. */
const TELLING_ARGUMENTS = ["action", "query", "queries", "url", "urls", "path", "file"];

/** The same tool: a refusal it throws becomes its outcome, and every finished call is reported once. */
export function runTool(
	tool: HostNeutralTool,
	kind: ToolKind,
	onCall?: (call: FinishedCall) => void,
): HostNeutralTool {
	return {
		...tool,
		async execute(input, context) {
			const startedAt = performance.now();
			const outcome = await tool.execute(input, context).catch(toOutcomeOfError);
			onCall?.({
				...defined({ code: readCode(outcome) }),
				tool: tool.name,
				kind,
				ok: !outcome.isError,
				durationMs: Math.round(performance.now() - startedAt),
				summary: outcome.summary ?? summarizeArguments(asObject(input)),
			});
			return outcome;
		},
	};
}

export function summarizeArguments(args: Readonly<Record<string, unknown>>): string {
	return TELLING_ARGUMENTS.map((name) => args[name])
		.filter((value) => value !== undefined && value !== null)
		.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
		.join(" ");
}

function toOutcomeOfError(error: unknown): ToolOutcome {
	if (error instanceof ToolError) return toErrorOutcome(error);
	throw error;
}

function readCode(outcome: ToolOutcome): string | undefined {
	const { code } = asObject(outcome.details["error"]);
	return typeof code === "string" ? code : undefined;
}
