import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { ToolError, toErrorOutcome } from "../../../contract/tool-error.ts";
import { WebError } from "../web-error.ts";

export interface FinishedCall {
	readonly outcome: ToolOutcome;
	/** One line for the journal. */
	readonly summary: string;
}

/** The one place where a failure of a web tool becomes an outcome. */
export async function runWebCall(
	work: () => Promise<FinishedCall>,
	context: ToolContext,
): Promise<ToolOutcome> {
	try {
		if (context.signal.aborted) throw new WebError("ABORTED", "The call was cancelled before it began.");
		const { outcome, summary } = await work();
		return { ...outcome, summary };
	} catch (error) {
		if (!(error instanceof ToolError)) throw error;
		return { ...toErrorOutcome(error), summary: error.code };
	}
}

/** An address as it may be written into a journal: without the part that carries tokens. */
export function toLoggedUrl(url: string): string {
	const parsed = URL.parse(url);
	return parsed ? `${parsed.origin}${parsed.pathname}`.slice(0, 200) : "(not a URL)";
}
