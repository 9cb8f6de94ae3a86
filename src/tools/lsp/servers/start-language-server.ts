import { basename, extname } from "node:path";
import {
	asObject,
	createGate,
	type Deadline,
	defined,
	isObject,
	messageOf,
	stripControlSequences,
	waitWithin,
} from "@deputize/ground";
import { type Peer, startPeer } from "../../../process/start-peer.ts";
import { createLspDeadline, LspError, ServerGoneError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import {
	answerServerRequests,
	createRegistrations,
	type Registrations,
} from "../transport/answer-server-requests.ts";
import { openConnection, type ServerConnection } from "../transport/open-connection.ts";
import { toFileUri } from "../workspace/file-uri.ts";
import { createOpenDocuments } from "../workspace/open-documents.ts";
import type { ServerCommand } from "./box-server.ts";
import { CLIENT_CAPABILITIES } from "./client-capabilities.ts";
import type { ServerLaunch } from "./find-server.ts";
import { languageOf } from "./select-server.ts";
import { storePublishedDiagnostics } from "./store-published-diagnostics.ts";
import { trackProgress } from "./track-progress.ts";

interface StartSpec {
	readonly launch: ServerLaunch;
	readonly root: string;
	readonly command: ServerCommand;
	readonly deadline: Deadline;
	readonly maxMemoryMb: number;
}

/** Throws `ServerGoneError` when it does not come up, and `LspError` when the caller's time is over. */
export async function startLanguageServer(spec: StartSpec) {
	const { launch, root, maxMemoryMb } = spec;
	const { command, args, env, isBoxed } = spec.command;
	const peer = startPeer({ command, args, cwd: root, env, maxMemoryMb });
	const connection = openConnection(peer.stdout, peer.stdin);
	const watchedEnd = watchEnd(peer, connection);
	const registrations = createRegistrations();
	const folder = { uri: toFileUri(root), name: basename(root) || "root" };
	answerServerRequests(connection, registrations, launch.settings, folder);

	let count = 0;
	const nextSequence = () => {
		count += 1;
		return count;
	};
	const progress = trackProgress(connection);
	const published = storePublishedDiagnostics(connection, nextSequence);
	const documents = createOpenDocuments(connection, (path) => languageIdOf(launch, path), nextSequence);
	const startedAt = performance.now();
	const stop = createStop(peer, connection);

	let capabilities: Readonly<Record<string, unknown>>;
	try {
		const params = {
			...defined({ initializationOptions: launch.initializationOptions }),
			// A server ends itself when this process is gone. In its box it cannot see us, and ends with the box.
			processId: isBoxed ? null : process.pid,
			rootPath: root,
			rootUri: folder.uri,
			workspaceFolders: [folder],
			clientInfo: { name: "deputize" },
			locale: "en",
			capabilities: { ...CLIENT_CAPABILITIES, experimental: { serverStatusNotification: true } },
			trace: "off",
		};
		const result = await connection.request("initialize", params, spec.deadline);
		capabilities = asObject(asObject(result)["capabilities"]);
		connection.notify("initialized", {});
		connection.notify("workspace/didChangeConfiguration", { settings: nestSections(launch.settings) });
	} catch (error) {
		const reason = await explainFailedStart(error, peer, watchedEnd.reason);
		await stop(false);
		throw reason;
	}

	return {
		id: launch.definition.id,
		root,
		launch,
		pid: peer.pid,
		capabilities,
		registrations,
		documents,
		published,
		progress,
		gate: createGate(),
		/** Which kinds of question it has answered the same way twice, and at which generation of its progress. */
		settled: new Map(),
		ageMs: (): number => performance.now() - startedAt,
		/** The counter that orders our changes and the server's publications. */
		sequence: (): number => count,
		supports: (method: string): boolean => isSupported(capabilities, registrations, method),
		request: async (method: string, params: unknown, deadline: Deadline): Promise<unknown> => {
			try {
				return await connection.request(method, params, deadline);
			} catch (error) {
				if (!(error instanceof ServerGoneError)) throw error;
				throw new ServerGoneError((await watchedEnd.reasonSoon()) ?? error.message);
			}
		},
		notify: connection.notify,
		/** Set once the process is gone, with what is known about why. */
		goneReason: watchedEnd.reason,
		/** shutdown, exit, end of input, SIGTERM, SIGKILL: each only if the one before was not enough. */
		stop: (): Promise<void> => stop(true),
	};
}

/** One running server for one root. Its lifetime is the point: everything about it ends with `stop`. */
export type LanguageServer = Awaited<ReturnType<typeof startLanguageServer>>;

function languageIdOf(launch: ServerLaunch, path: string): string {
	return languageOf(launch.definition, path) ?? (extname(path).slice(1) || "plaintext");
}

/** `{"python.analysis": x}` to `{python: {analysis: x}}`. */
function nestSections(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const nested: Record<string, unknown> = {};
	for (const [section, value] of Object.entries(settings)) {
		const names = section.split(".");
		const last = names.pop() ?? section;
		let target = nested;
		for (const name of names) {
			const inner = isObject(target[name]) ? { ...target[name] } : {};
			target[name] = inner;
			target = inner;
		}
		target[last] = isObject(value) && isObject(target[last]) ? { ...target[last], ...value } : value;
	}
	return nested;
}

/** Between the end of the output and the exit code that explains it. */
const LAST_WORDS_MS = 250;

/** The reason, once the server is gone. `reasonSoon` waits a moment for the exit code, which explains more. */
function watchEnd(peer: Peer, connection: ServerConnection) {
	let reason: string | undefined;
	const ended = peer.ended.then((ending) => {
		reason = `${describeEnding(ending)}${showStderr(peer)}`;
		connection.close();
	});
	const broken = connection.broken.then((why) => {
		reason ??= `${why}${showStderr(peer)}`;
	});
	return {
		reason: () => reason,
		reasonSoon: async () => {
			await broken;
			await waitWithin(ended, LAST_WORDS_MS);
			return reason;
		},
	};
}

function describeEnding({ message, usedMb, signal, exitCode }: Awaited<Peer["ended"]>): string {
	if (message !== undefined) return message;
	if (usedMb !== undefined)
		return `it used ${usedMb} MB of memory, more than lsp.maxMemoryMb allows, and was ended`;
	return signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
}

function showStderr(peer: Peer): string {
	const tail = stripControlSequences(peer.stderrTail()).trim();
	return tail === "" ? "" : `; it wrote: ${tail.slice(-LSP_LIMITS.stderrShownChars)}`;
}

async function explainFailedStart(
	error: unknown,
	peer: Peer,
	reason: () => string | undefined,
): Promise<unknown> {
	if (error instanceof LspError) return error;
	// The end of the output comes before the exit code; the exit code explains more.
	await waitWithin(peer.ended, LAST_WORDS_MS);
	const message = messageOf(error);
	if (error instanceof ServerGoneError) return new ServerGoneError(reason() ?? message);
	return new ServerGoneError(`it refused to initialize: ${message}${showStderr(peer)}`);
}

function createStop(peer: Peer, connection: ServerConnection): (politely: boolean) => Promise<void> {
	let stopping: Promise<void> | undefined;
	async function stop(politely: boolean): Promise<void> {
		if (politely) await sayGoodbye(peer, connection);
		connection.close();
		await peer.stop(LSP_LIMITS.exitGraceMs);
	}
	return (politely) => {
		stopping ??= stop(politely);
		return stopping;
	};
}

async function sayGoodbye(peer: Peer, connection: ServerConnection): Promise<void> {
	const deadline = createLspDeadline(LSP_LIMITS.shutdownRequestMs, new AbortController().signal);
	try {
		await connection.request("shutdown", undefined, deadline);
		await connection.send("exit", undefined);
		// The native TypeScript server ends only when its input does.
		peer.stdin.end();
		await waitWithin(peer.ended, LSP_LIMITS.exitGraceMs);
	} catch {
		// It did not listen; SIGTERM and SIGKILL follow.
	} finally {
		deadline.end();
	}
}

/** Asking for what was not offered makes some servers hang and others answer with an error. */
function isSupported(
	capabilities: Readonly<Record<string, unknown>>,
	registrations: Registrations,
	method: string,
): boolean {
	const subject = method === "workspace/symbol" ? "workspaceSymbol" : method.replace("textDocument/", "");
	const offered = capabilities[`${subject}Provider`];
	if (offered !== undefined && offered !== false && offered !== null) return true;
	return registrations.optionsOf(method).length > 0;
}
