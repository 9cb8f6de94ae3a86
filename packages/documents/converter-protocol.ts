import { parseJsonObject } from "@deputize/ground";
import { CONVERT_ERROR_CODES, type ConvertErrorCode } from "./conversion-error.ts";
import type { Conversion, DocumentHint, DocumentMetadata } from "./converted-document.ts";

/**
 * What goes between us and the converter process. On its stdin: one line of JSON with the hint, then the bytes of
 * the document. On its stdout: one JSON object.
 */
export type ConverterAnswer =
	| ({ readonly ok: true } & Conversion)
	| { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

const NEWLINE = 0x0a;

export function renderConverterInput(bytes: Uint8Array, hint: DocumentHint): Buffer {
	return Buffer.concat([Buffer.from(`${JSON.stringify(hint)}\n`, "utf8"), bytes]);
}

/** Undefined when it is not input we wrote. */
export function parseConverterInput(input: Buffer): { bytes: Buffer; hint: DocumentHint } | undefined {
	const end = input.indexOf(NEWLINE);
	if (end === -1) return undefined;
	const value = parseJsonObject(input.toString("utf8", 0, end));
	if (!value) return undefined;
	const { fileName, contentType, pageUrl, plainBecause } = value;
	return {
		bytes: input.subarray(end + 1),
		hint: {
			...(typeof fileName === "string" && { fileName }),
			...(typeof contentType === "string" && { contentType }),
			...(typeof pageUrl === "string" && { pageUrl }),
			...(typeof plainBecause === "string" && { plainBecause }),
		},
	};
}

/** Undefined when the process wrote something else: it died while writing, or a library printed. */
export function parseConverterAnswer(output: string): ConverterAnswer | undefined {
	const value = parseJsonObject(output);
	if (!value) return undefined;
	const { ok, markdown, title, truncated, metadata, code, message } = value;
	if (ok === true && typeof markdown === "string") {
		return {
			ok,
			markdown,
			truncated: truncated === true,
			metadata: parseMetadata(metadata),
			...(typeof title === "string" && { title }),
		};
	}
	if (ok === false && typeof message === "string" && isConvertErrorCode(code)) return { ok, code, message };
	return undefined;
}

function isConvertErrorCode(value: unknown): value is ConvertErrorCode {
	return typeof value === "string" && Object.hasOwn(CONVERT_ERROR_CODES, value);
}

function parseMetadata(value: unknown): DocumentMetadata {
	if (typeof value !== "object" || value === null) return {};
	return Object.fromEntries(
		Object.entries(value).filter(
			(entry): entry is [string, string | number | boolean] =>
				typeof entry[1] === "string" || typeof entry[1] === "number" || typeof entry[1] === "boolean",
		),
	);
}
