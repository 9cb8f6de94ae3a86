import { connect } from "node:net";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { createLineSplitter } from "../../../wire/jsonl.ts";
import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { parseParentLine, renderLine } from "./child-protocol.ts";

export interface ParentQuestion {
	readonly socketPath: string;
	readonly token: string;
	readonly input: unknown;
	readonly context: ToolContext;
}

/** The parent's answer, or `undefined` when there is no parent to ask and the caller must help itself. */
export function askParent(question: ParentQuestion): Promise<ToolOutcome | undefined> {
	const { socketPath, token, input, context } = question;
	return new Promise((resolve, reject) => {
		const socket = connect(socketPath);
		const connecting = setTimeout(() => finish(undefined), LSP_LIMITS.socketConnectMs);
		const cancel = () => {
			reject(new LspError("LSP_CANCELLED", "The lsp call was cancelled."));
			finish(undefined);
		};
		function finish(outcome: ToolOutcome | undefined): void {
			clearTimeout(connecting);
			context.signal.removeEventListener("abort", cancel);
			socket.destroy();
			resolve(outcome);
		}
		const lines = createLineSplitter({
			maxLineBytes: LSP_LIMITS.maxSocketAnswerBytes,
			onLine: (bytes) => {
				const line = parseParentLine(bytes.toString("utf8"));
				if (line?.kind === "progress") context.onProgress?.(line.line);
				else finish(line?.kind === "outcome" ? line.outcome : undefined);
			},
		});
		socket.on("connect", () => {
			clearTimeout(connecting);
			socket.write(renderLine({ token, cwd: context.cwd, input }));
		});
		socket.on("data", lines.push);
		socket.on("error", () => finish(undefined));
		socket.on("close", () => finish(undefined));
		if (context.signal.aborted) cancel();
		else context.signal.addEventListener("abort", cancel, { once: true });
	});
}
