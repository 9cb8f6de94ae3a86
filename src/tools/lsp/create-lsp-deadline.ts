import { createDeadline, type Deadline } from "@deputize/ground";
import { LspError } from "./lsp-error.ts";

export function createLspDeadline(totalMs: number, signal: AbortSignal): Deadline {
	return createDeadline(totalMs, signal, ({ isCancelled, allowedMs }) =>
		isCancelled
			? new LspError("LSP_CANCELLED", "The lsp call was cancelled.")
			: new LspError("LSP_TIMEOUT", `The language server did not answer within ${allowedMs} ms.`),
	);
}
