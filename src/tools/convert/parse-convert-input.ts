import { ConversionError } from "@deputize/documents";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import { CONVERT_PARAMETERS } from "./convert-parameters.ts";

export function parseConvertInput(
	input: unknown,
	defaults: { readonly maxContentChars: number; readonly timeoutMs: number },
) {
	const { path, url, offset = 0, ...limits } = parseToolInput(input, CONVERT_PARAMETERS);
	if ((path === undefined) === (url === undefined))
		throw new ConversionError("INVALID_INPUT", "Give exactly one of path and url.");
	const { maxContentChars, timeoutMs } = defaults;
	return {
		maxContentChars,
		timeoutMs,
		...limits,
		offset,
		source: path === undefined ? { kind: "url", value: url ?? "" } : { kind: "path", value: path },
	};
}

/** What a call asks for, checked. */
export type ConvertRequest = ReturnType<typeof parseConvertInput>;
