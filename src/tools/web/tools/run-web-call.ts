import { ToolError } from "@deputize/ground";
import type { JsonSchema, ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { toErrorOutcome } from "../../../contract/tool-error.ts";
import type { WebSession } from "../open-web-session.ts";
import type { ResponseStore } from "../store/create-response-store.ts";
import { WebError } from "../web-error.ts";

/** What the tools of a process share, each opened by the first call that needs it. */
export interface WebParts {
	readonly openSession: () => Promise<WebSession>;
	/** Missing under the loop runtime, whose tools keep nothing between calls. */
	readonly openStore?: () => Promise<ResponseStore>;
}

export interface WebCall extends WebParts {
	readonly input: unknown;
	/** Of the tool that is called: those of the loop runtime have fewer fields. */
	readonly parameters: JsonSchema;
	readonly context: ToolContext;
}

/** The one place where a failure of a web tool becomes an outcome. */
export async function runWebCall(
	work: () => Promise<ToolOutcome>,
	context: ToolContext,
): Promise<ToolOutcome> {
	try {
		if (context.signal.aborted) throw new WebError("ABORTED", "The call was cancelled before it began.");
		return await work();
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
