import type { HostNeutralTool } from "../../../contract/tool.ts";
import type { JournalKind } from "../../../journal/journal-record.ts";
import { recordToolCall } from "./record-tool-call.ts";

const TELLING = ["action", "file", "query"];

/** The same tool, with every call of it noted in the journal. */
export function recordCalls(
	tool: HostNeutralTool,
	kind: JournalKind,
	place: Parameters<typeof recordToolCall>[2],
): HostNeutralTool {
	return {
		...tool,
		async execute(input, context) {
			const startedAt = performance.now();
			const outcome = await tool.execute(input, context);
			const { error } = outcome.details as { error?: { code?: unknown } };
			void recordToolCall(
				kind,
				{
					tool: tool.name,
					ok: !outcome.isError,
					...(typeof error?.code === "string" ? { code: error.code } : {}),
					durationMs: performance.now() - startedAt,
					summary: summarize(input),
				},
				place,
			);
			return outcome;
		},
	};
}

function summarize(input: unknown): string {
	const fields = (typeof input === "object" && input !== null ? input : {}) as Readonly<
		Record<string, unknown>
	>;
	return TELLING.map((name) => fields[name])
		.filter((value) => typeof value === "string")
		.join(" ");
}
