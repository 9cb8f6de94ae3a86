import { createDeadline, type Deadline, ToolError } from "@deputize/ground";

/** The codes a caller can rely on. Add, never rename. */
type LspErrorCode =
	| "INVALID_INPUT"
	| "LSP_ACTION_NOT_ALLOWED"
	| "LSP_SERVER_NOT_FOUND"
	| "LSP_SERVER_FAILED"
	| "LSP_EDIT_FAILED"
	| "LSP_TIMEOUT"
	/** In a child: the parent did not answer. */
	| "LSP_PARENT_UNREACHABLE"
	| "LSP_CANCELLED";

/** A failed step of an `lsp` call. One place, the tool's `execute`, turns it into an outcome. */
export class LspError extends ToolError<LspErrorCode> {}

/** The result of the work, or undefined when its deadline passed first. */
export async function unlessLate<Value>(work: Promise<Value>): Promise<Value | undefined> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof LspError && error.code === "LSP_TIMEOUT") return undefined;
		throw error;
	}
}

/** The server process is gone or sends invalid messages. The pool restarts it once. */
export class ServerGoneError extends Error {
	constructor(message: string) {
		super(message);
		this.name = "ServerGoneError";
	}
}

/** The server refused the request; the request itself was delivered and answered. */
export class ServerRefusalError extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.name = "ServerRefusalError";
		this.code = code;
	}
}

export function createLspDeadline(totalMs: number, signal: AbortSignal): Deadline {
	return createDeadline(totalMs, signal, ({ isCancelled, allowedMs }) =>
		isCancelled
			? new LspError("LSP_CANCELLED", "The lsp call was cancelled.")
			: new LspError("LSP_TIMEOUT", `The language server did not answer within ${allowedMs} ms.`),
	);
}
