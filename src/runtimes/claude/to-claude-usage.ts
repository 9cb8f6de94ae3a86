import { asCount, type JsonObject } from "@deputize/ground";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";

/** What Claude Code reports, without the cost, which it reports for a whole run. */
export function toClaudeUsage(usage: JsonObject): Usage {
	return {
		...NO_USAGE,
		input: asCount(usage["input_tokens"]),
		output: asCount(usage["output_tokens"]),
		cacheRead: asCount(usage["cache_read_input_tokens"]),
		cacheWrite: asCount(usage["cache_creation_input_tokens"]),
	};
}
