import type { ToolContext, ToolOutcome } from "../../contract/tool.ts";
import { toErrorOutcome } from "../../contract/tool-error.ts";
import { type ConversionCache, type ConvertedAnswer, createConversionCache } from "./conversion-cache.ts";
import type { ConvertErrorCode } from "./conversion-error.ts";
import { convertSource } from "./convert-source.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { parseConvertInput } from "./parse-convert-input.ts";
import { toConvertOutcome } from "./to-convert-outcome.ts";

type Answer =
	| ConvertedAnswer
	| { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

export type ConvertCall = (input: unknown, context: ToolContext) => Promise<ToolOutcome>;

/** One call of the tool: check the input, get and convert the document, show a page. */
export function createConvertCall(options: ConvertToolOptions): ConvertCall {
	const cache = createConversionCache(options.now ?? Date.now);
	return (input, context) => runConversion(input, context, options, cache);
}

async function runConversion(
	input: unknown,
	context: ToolContext,
	options: ConvertToolOptions,
	cache: ConversionCache,
): Promise<ToolOutcome> {
	const startedAt = performance.now();
	const request = parseConvertInput(input, options.config);
	const source = request.source.value;
	const answer: Answer = await convertSource(request, context, options, cache);
	const durationMs = Math.round(performance.now() - startedAt);
	const summary = summarizeConversion(source, answer);
	if (!answer.ok) return { ...toErrorOutcome(answer), summary };
	const { offset, maxContentChars } = request;
	return { ...toConvertOutcome(answer, { source, offset, maxContentChars, durationMs }), summary };
}

/** An address is recorded without its query, which may contain a key. */
function summarizeConversion(source: string, answer: Answer): string {
	const shown = URL.canParse(source) ? source.replace(/[?#].*$/s, "") : source;
	return answer.ok
		? `${shown}: ${String(answer.metadata["format"])}, ${answer.markdown.length} characters by ${answer.provider}`
		: `${shown}: ${answer.message}`;
}
