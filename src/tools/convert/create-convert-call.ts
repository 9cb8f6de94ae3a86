import { ConversionError } from "@deputize/documents";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { toErrorOutcome } from "../../contract/tool-error.ts";
import { createConversionCache } from "./conversion-cache.ts";
import { convertSource } from "./convert-source.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { parseConvertInput } from "./parse-convert-input.ts";
import { toConvertOutcome } from "./to-convert-outcome.ts";

/** One call of the tool: check the input, get and convert the document, show a page. */
export function createConvertCall(options: ConvertToolOptions): HostNeutralTool["execute"] {
	const cache = createConversionCache();
	return async (input, context) => {
		const startedAt = performance.now();
		const { source, ...request } = parseConvertInput(input, options.config);
		// An address is recorded without its query, which may contain a key.
		const shown = URL.canParse(source.value) ? source.value.replace(/[?#].*$/s, "") : source.value;
		try {
			const answer = await convertSource({ source, ...request }, context, options, cache);
			const durationMs = Math.round(performance.now() - startedAt);
			const { provider, markdown, metadata } = answer;
			return {
				...toConvertOutcome(answer, { source: source.value, ...request, durationMs }),
				summary: `${shown}: ${String(metadata["format"])}, ${markdown.length} characters by ${provider}`,
			};
		} catch (error) {
			if (!(error instanceof ConversionError)) throw error;
			return { ...toErrorOutcome(error), summary: `${shown}: ${error.message}` };
		}
	};
}
