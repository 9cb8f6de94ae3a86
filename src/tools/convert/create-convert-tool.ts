import type { HostNeutralTool, ToolContext, ToolOutcome } from "../../contract/tool.ts";
import { type ConversionCache, type ConvertedAnswer, createConversionCache } from "./conversion-cache.ts";
import type { ConvertErrorCode } from "./conversion-error.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { CONVERT_PARAMETERS, type ConvertRequest, parseConvertInput } from "./parse-convert-input.ts";
import { toConvertOutcome, toFailedOutcome } from "./to-convert-outcome.ts";

type Answer =
	| ConvertedAnswer
	| { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

export function createConvertTool(options: ConvertToolOptions): HostNeutralTool {
	const cache = createConversionCache(options.now ?? Date.now);
	return {
		name: "convert_content",
		label: "Convert content",
		description:
			"Convert a document (PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, CSV, notebook, e-mail, zip listing, image metadata) to Markdown, by path inside the working directory or by url.",
		parameters: CONVERT_PARAMETERS,
		execute: (input, context) => execute(input, context, options, cache),
	};
}

async function execute(
	input: unknown,
	context: ToolContext,
	options: ConvertToolOptions,
	cache: ConversionCache,
): Promise<ToolOutcome> {
	const startedAt = performance.now();
	const parsed = parseConvertInput(input, options.config);
	const source = parsed.ok ? parsed.request.source.value : "";
	const answer: Answer = parsed.ok
		? await convert(parsed.request, context, options, cache)
		: { ok: false, code: "INVALID_INPUT", message: parsed.message };
	const durationMs = Math.round(performance.now() - startedAt);
	options.onCall?.({
		tool: "convert_content",
		ok: answer.ok,
		durationMs,
		summary: summarize(source, answer),
		...(!answer.ok && { code: answer.code }),
	});
	if (!answer.ok) return toFailedOutcome(answer.code, answer.message);
	const request = parsed.ok ? parsed.request : undefined;
	return toConvertOutcome(answer, {
		source,
		offset: request?.offset ?? 0,
		maxContentChars: request?.maxContentChars ?? options.config.maxContentChars,
		durationMs,
	});
}

/** The heavy half is loaded by the first call: registering the tool must cost nothing. */
async function convert(
	request: ConvertRequest,
	context: ToolContext,
	options: ConvertToolOptions,
	cache: ConversionCache,
): Promise<Answer> {
	const { convertSource } = await import("./convert-source.ts");
	return convertSource(request, context, options, cache);
}

/** An address is told without its query, which may carry a key. */
function summarize(source: string, answer: Answer): string {
	const shown = URL.canParse(source) ? source.replace(/[?#].*$/s, "") : source;
	return answer.ok
		? `${shown}: ${String(answer.metadata["format"])}, ${answer.markdown.length} characters by ${answer.provider}`
		: `${shown}: ${answer.message}`;
}
