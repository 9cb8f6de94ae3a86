import { randomBytes } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import {
	asObject,
	canonicalPath,
	createLineSplitter,
	createSlots,
	isSameToken,
	makePrivateDirectory,
	type Slots,
} from "@deputize/ground";
import { READONLY_LSP_ACTIONS } from "../../../contract/config.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import { toErrorOutcome } from "../../../contract/tool-error.ts";
import type { LspTool } from "../create-lsp-tool.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { type ChildQuestion, parseChildQuestion, renderLine } from "./child-protocol.ts";

export interface ServeChildrenOptions {
	/** The run's own directory; made private if it is not. */
	readonly directory: string;
	/** Only questions about this working directory are answered. Without it, any. */
	readonly cwd?: string;
}

/** The kernel's limit for a socket's path is 108 bytes on Linux and 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;
const QUESTION_DEADLINE_MS = 10_000;

/**
 * Lets children use the servers of this process. Three things must be right: the directory (0700) and the
 * socket (0600) keep other users out, the token keeps out programs of this user that were not given it, and
 * only actions that read are passed on, whatever the parent itself may do.
 */
export async function serveLspToChildren(tool: LspTool, options: ServeChildrenOptions) {
	const place = await openSocketDirectory(options.directory);
	const socketPath = join(place.directory, "lsp.sock");
	const token = randomBytes(32).toString("base64url");
	const connections = new Set<Socket>();
	const slots = createSlots(LSP_LIMITS.maxSharedQuestions);
	const server = createServer((socket) => {
		if (connections.size >= LSP_LIMITS.maxSocketConnections) {
			socket.destroy();
			return;
		}
		connections.add(socket);
		socket.on("close", () => connections.delete(socket));
		serveOne(socket, { tool, token, slots, cwd: options.cwd });
	});
	await listen(server, socketPath);
	await chmod(socketPath, 0o600);
	return {
		socketPath,
		token,
		close: async (): Promise<void> => {
			for (const socket of connections) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
			await rm(socketPath, { force: true });
			if (place.isTemporary) await rm(place.directory, { recursive: true, force: true });
		},
	};
}

export type ChildrenService = Awaited<ReturnType<typeof serveLspToChildren>>;

async function openSocketDirectory(directory: string): Promise<{ directory: string; isTemporary: boolean }> {
	if (Buffer.byteLength(join(directory, "lsp.sock")) > MAX_SOCKET_PATH_BYTES) {
		return { directory: makePrivateDirectory("deputize-lsp-"), isTemporary: true };
	}
	await mkdir(directory, { recursive: true, mode: 0o700 });
	await chmod(directory, 0o700);
	return { directory, isTemporary: false };
}

function listen(server: Server, socketPath: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(socketPath, () => {
			server.off("error", reject);
			// A host that is done must be able to end although children could still ask.
			server.unref();
			resolve();
		});
	});
}

interface Service {
	readonly tool: LspTool;
	readonly token: string;
	readonly slots: Slots;
	readonly cwd: string | undefined;
}

function serveOne(socket: Socket, { tool, token, slots, cwd }: Service): void {
	const cancellation = new AbortController();
	const unasked = setTimeout(() => socket.destroy(), QUESTION_DEADLINE_MS);
	let isAsked = false;
	const lines = createLineSplitter({
		maxLineBytes: LSP_LIMITS.maxSocketMessageBytes,
		onLine: (bytes) => {
			if (isAsked) return;
			isAsked = true;
			clearTimeout(unasked);
			answer(bytes.toString("utf8")).catch(() => socket.destroy());
		},
		onSkip: () => socket.destroy(),
	});

	async function answer(line: string): Promise<void> {
		const question = parseChildQuestion(line);
		const refusal = question === undefined ? "not a question" : checkQuestion(question, token, cwd);
		if (question === undefined || refusal !== undefined) {
			socket.end(renderLine({ kind: "refused", reason: refusal ?? "not a question" }));
			return;
		}
		const giveBack = await slots.take({ signal: cancellation.signal });
		if (giveBack === undefined) return;
		try {
			const outcome =
				refuseAction(question.input) ??
				(await tool.execute(question.input, {
					cwd: question.cwd,
					signal: cancellation.signal,
					onProgress: (progress) => socket.write(renderLine({ kind: "progress", line: progress })),
				}));
			if (!socket.destroyed) socket.end(renderLine({ kind: "outcome", outcome }));
		} finally {
			giveBack();
		}
	}

	socket.on("data", lines.push);
	socket.on("error", () => socket.destroy());
	socket.on("close", () => {
		clearTimeout(unasked);
		cancellation.abort();
	});
}

function checkQuestion(question: ChildQuestion, token: string, cwd: string | undefined): string | undefined {
	if (!isSameToken(question.token, token)) return "wrong token";
	if (cwd !== undefined && canonicalPath(question.cwd) !== canonicalPath(cwd))
		return "another working directory";
	return undefined;
}

function refuseAction(input: unknown): ToolOutcome | undefined {
	const { action } = asObject(input);
	if (typeof action !== "string" || (READONLY_LSP_ACTIONS as readonly string[]).includes(action))
		return undefined;
	const message = `${action} is never available in a subagent: only actions that read are shared.`;
	return toErrorOutcome({ code: "LSP_ACTION_NOT_ALLOWED", message });
}
