import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { toErrorOutcome, WebError } from "../web-error.ts";
import type { WebCallRecord } from "../web-tools-options.ts";

export interface FinishedCall {
	readonly outcome: ToolOutcome;
	/** One line for the journal. */
	readonly summary: string;
}

/** The one place where a failure of a web tool becomes an outcome, and where every call is recorded. */
export async function runTool(
	tool: string,
	work: () => Promise<FinishedCall>,
	options: { readonly onCall?: (record: WebCallRecord) => void; readonly now?: () => number },
	context: ToolContext,
): Promise<ToolOutcome> {
	const now = options.now ?? Date.now;
	const startedAt = now();
	const finish = (outcome: ToolOutcome, summary: string) => {
		const code = readCode(outcome);
		options.onCall?.({
			tool,
			ok: !outcome.isError,
			...(code === undefined ? {} : { code }),
			durationMs: now() - startedAt,
			summary,
		});
		return outcome;
	};
	try {
		if (context.signal.aborted) throw new WebError("ABORTED", "The call was cancelled before it began.");
		const { outcome, summary } = await work();
		return finish(outcome, summary);
	} catch (error) {
		if (!(error instanceof WebError)) throw error;
		return finish(toErrorOutcome(error), error.code);
	}
}

function readCode(outcome: ToolOutcome): string | undefined {
	const error = outcome.details["error"];
	if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
	return String(error.code);
}

/** An address as it may be written into a journal: without the part that carries tokens. */
export function toLoggedUrl(url: string): string {
	const parsed = URL.parse(url);
	return parsed ? `${parsed.origin}${parsed.pathname}`.slice(0, 200) : "(not a URL)";
}
