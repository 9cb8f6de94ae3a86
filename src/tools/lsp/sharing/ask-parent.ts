import { connect } from "node:net";
import { createLineSplitter } from "@deputize/ground";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { parseParentLine, renderLine } from "./child-protocol.ts";

interface ParentQuestion {
	readonly socketPath: string;
	readonly token: string;
	readonly input: unknown;
	readonly context: ToolContext;
	/** The longest the parent may take to answer; its own deadlines are shorter. */
	readonly answerTimeoutMs: number;
}

/**
 * The parent's answer. A parent that refuses, is slow or is gone is an error of this call: servers of the child's
 * own would run with other rights than those the parent decided on.
 */
export function askParent(question: ParentQuestion): Promise<ToolOutcome> {
	const { socketPath, token, input, context, answerTimeoutMs } = question;
	return new Promise((resolve, reject) => {
		const socket = connect(socketPath);
		let timer = setTimeout(
			() => fail(`did not accept the connection within ${LSP_LIMITS.socketConnectMs} ms`),
			LSP_LIMITS.socketConnectMs,
		);
		const cancel = () => {
			close();
			reject(new LspError("LSP_CANCELLED", "The lsp call was cancelled."));
		};
		function close(): void {
			clearTimeout(timer);
			context.signal.removeEventListener("abort", cancel);
			socket.destroy();
		}
		function fail(what: string): void {
			close();
			reject(toUnreachable(what));
		}
		const lines = createLineSplitter({
			maxLineBytes: LSP_LIMITS.maxSocketAnswerBytes,
			onLine: (bytes) => {
				const line = parseParentLine(bytes.toString("utf8"));
				if (line?.kind === "progress") context.onProgress?.(line.line);
				else if (line?.kind === "outcome") {
					close();
					resolve(line.outcome);
				} else fail(line === undefined ? "sent something that is not an answer" : `refused: ${line.reason}`);
			},
			onSkip: () => fail(`sent more than ${LSP_LIMITS.maxSocketAnswerBytes} bytes`),
		});
		socket.on("connect", () => {
			clearTimeout(timer);
			timer = setTimeout(() => fail(`did not answer within ${answerTimeoutMs} ms`), answerTimeoutMs);
			socket.write(renderLine({ token, cwd: context.cwd, input }));
		});
		socket.on("data", lines.push);
		socket.on("error", (error) => fail(`cannot be reached (${error.message})`));
		socket.on("close", () => fail("closed the connection without an answer"));
		if (context.signal.aborted) cancel();
		else context.signal.addEventListener("abort", cancel, { once: true });
	});
}

function toUnreachable(what: string): LspError {
	return new LspError(
		"LSP_PARENT_UNREACHABLE",
		`The main agent, whose language servers this subagent uses, ${what}. Use other tools, or try again.`,
	);
}
