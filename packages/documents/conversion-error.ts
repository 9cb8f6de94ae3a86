import { ToolError } from "@deputize/ground";

/** Contract: add, never rename. The meaning of each is in docs/reference/convert-tools.md. */
export const CONVERT_ERROR_CODES = {
	INVALID_INPUT: "INVALID_INPUT",
	FILE_NOT_FOUND: "FILE_NOT_FOUND",
	FILE_TOO_LARGE: "FILE_TOO_LARGE",
	UNSUPPORTED_PROTOCOL: "UNSUPPORTED_PROTOCOL",
	COMMAND_NOT_FOUND: "COMMAND_NOT_FOUND",
	CONVERT_TIMEOUT: "CONVERT_TIMEOUT",
	CONVERT_FAILED: "CONVERT_FAILED",
	NETWORK_ERROR: "NETWORK_ERROR",
	PRIVATE_NETWORK_BLOCKED: "PRIVATE_NETWORK_BLOCKED",
	CONVERT_ABORTED: "CONVERT_ABORTED",
	CONVERT_MEMORY_EXCEEDED: "CONVERT_MEMORY_EXCEEDED",
	UNSUPPORTED_FORMAT: "UNSUPPORTED_FORMAT",
	DOCUMENT_ENCRYPTED: "DOCUMENT_ENCRYPTED",
	DOCUMENT_DAMAGED: "DOCUMENT_DAMAGED",
	DOCUMENT_UNSAFE: "DOCUMENT_UNSAFE",
} as const;

export type ConvertErrorCode = keyof typeof CONVERT_ERROR_CODES;

/** A reader's refusal. One place in the converter process turns it into an answer. */
export class ConversionError extends ToolError<ConvertErrorCode> {}

export const damaged = (message: string): ConversionError => new ConversionError("DOCUMENT_DAMAGED", message);
export const unsafe = (message: string): ConversionError => new ConversionError("DOCUMENT_UNSAFE", message);
export const encrypted = (message: string): ConversionError =>
	new ConversionError("DOCUMENT_ENCRYPTED", message);
