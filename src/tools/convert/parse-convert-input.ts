import { ConversionError } from "@deputize/documents";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import { CONVERT_PARAMETERS } from "./convert-parameters.ts";

/** What a call asks for, checked. */
export interface ConvertRequest {
	readonly source: { readonly kind: "path" | "url"; readonly value: string };
	readonly maxContentChars: number;
	readonly timeoutMs: number;
	readonly offset: number;
}

export function parseConvertInput(
	input: unknown,
	defaults: { readonly maxContentChars: number; readonly timeoutMs: number },
): ConvertRequest {
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
