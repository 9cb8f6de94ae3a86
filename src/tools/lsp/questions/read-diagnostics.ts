import { asObject, type Deadline, defined, isObject, pauseWithin } from "@deputize/ground";
import type { Diagnostic } from "vscode-languageserver-types";
import { ServerRefusalError, unlessLate } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { PooledServer } from "../servers/server-slot.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import { parseDiagnostics } from "../transport/parse-protocol.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { readTsserverDiagnostics, TSSERVER_COMMAND } from "./read-tsserver-diagnostics.ts";
import { askPatiently } from "./settle-answer.ts";

/**
 * The problems of the text that the server was last sent. Servers that can be asked are asked; from the others a
 * publication must arrive that belongs to this text. Undefined when nothing came in time: silence is never taken for a
 * clean file.
 */
export function readDiagnostics(
	{ server, synchronizer }: PooledServer,
	document: OpenDocument,
	deadline: Deadline,
): Promise<readonly Diagnostic[] | undefined> {
	return unlessLate(
		offersTsserver(server)
			? readTsserverDiagnostics(server, document, deadline)
			: waitForDiagnostics(server, document, synchronizer.workspaceChangedAt(), deadline),
	);
}

function offersTsserver(server: LanguageServer): boolean {
	const provider = server.capabilities["executeCommandProvider"];
	const commands = isObject(provider) ? provider["commands"] : undefined;
	return Array.isArray(commands) && commands.includes(TSSERVER_COMMAND);
}

/** Whether a server is to be asked can become known only after it started, so both ways are waited for. */
async function waitForDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	workspaceChangedAt: number,
	deadline: Deadline,
): Promise<readonly Diagnostic[]> {
	if (server.supports("textDocument/diagnostic")) return pullDiagnostics(server, document, deadline);
	const current = await provokePublication(server, document, workspaceChangedAt);
	const since = Math.max(current.version, workspaceChangedAt);
	while (!server.supports("textDocument/diagnostic")) {
		deadline.check();
		const published = server.published.get(current.path);
		if (published !== undefined && isAnswerTo(published, current, since)) {
			const quietMs = performance.now() - published.arrivedAtMs;
			// A version names the text exactly; without one, a second publication may follow the first.
			const isFinal = published.version !== undefined || quietMs >= LSP_LIMITS.pushQuietMs;
			if (isFinal && server.progress.openCount() === 0) return published.diagnostics;
			await pauseWithin(Math.max(10, LSP_LIMITS.pushQuietMs - quietMs), deadline);
			continue;
		}
		await nextEvent(server, deadline);
	}
	return pullDiagnostics(server, current, deadline);
}

function isAnswerTo(
	published: { readonly version?: number; readonly arrivedAt: number },
	document: OpenDocument,
	since: number,
): boolean {
	if (published.arrivedAt <= since) return false;
	return published.version === undefined || published.version >= document.version;
}

/** When another file changed, this one may have new problems that the server has no reason to publish. */
async function provokePublication(
	server: LanguageServer,
	document: OpenDocument,
	workspaceChangedAt: number,
): Promise<OpenDocument> {
	const published = server.published.get(document.path);
	const since = Math.max(document.version, workspaceChangedAt);
	if (published === undefined || published.arrivedAt > since || document.version > workspaceChangedAt)
		return document;
	// clangd does not build the same text twice, but it builds a file that is opened.
	if (published.version !== undefined) return server.documents.reopen(document.path);
	return server.documents.touch(document.path);
}

/**
 * typescript-language-server offers no fixes for a text it has not begun to check by itself, whatever problems it is
 * told. A publication says that it has begun; if none comes, the wait is short.
 */
export async function awaitOwnCheck(
	server: LanguageServer,
	document: OpenDocument,
	deadline: Deadline,
): Promise<void> {
	if (!offersTsserver(server)) return;
	const giveUpAt = performance.now() + LSP_LIMITS.ownCheckMs;
	while (performance.now() < giveUpAt && !deadline.isPassed()) {
		const published = server.published.get(document.path);
		if (published !== undefined && isAnswerTo(published, document, document.version)) return;
		await nextEvent(server, deadline);
	}
}

function nextEvent(server: LanguageServer, deadline: Deadline): Promise<void> {
	return new Promise<void>((resolve) => {
		const done = () => {
			stopListening();
			stopRegistrations();
			clearTimeout(timer);
			stopDeadline();
			resolve();
		};
		const stopListening = server.published.onPublish(done);
		const stopRegistrations = server.registrations.onChange(done);
		// Progress that ends is no event here, and a dead server sends none at all.
		const timer = setTimeout(done, LSP_LIMITS.settleIntervalMs);
		const stopDeadline = deadline.onPassed(done);
	}).then(() => {
		if (server.goneReason() !== undefined) throw new ServerRefusalError(0, "the server ended");
	});
}

async function pullDiagnostics(
	server: LanguageServer,
	{ uri }: OpenDocument,
	deadline: Deadline,
): Promise<readonly Diagnostic[]> {
	const pullOne = async (identifier: string | undefined): Promise<readonly Diagnostic[]> => {
		const params = { textDocument: { uri }, ...defined({ identifier }) };
		const ask = () => server.request("textDocument/diagnostic", params, deadline);
		return parseDiagnostics(asObject(await askPatiently({ server, ask, deadline }))["items"]);
	};
	return (await Promise.all(identifiersOf(server).map(pullOne))).flat();
}

/** A server may offer several sets of diagnostics, each under its own name. */
function identifiersOf(server: LanguageServer): readonly (string | undefined)[] {
	const offers = [
		server.capabilities["diagnosticProvider"],
		...server.registrations.optionsOf("textDocument/diagnostic"),
	];
	const names = offers.filter(isObject).map((offer) => offer["identifier"]);
	const identifiers = names.map((name) => (typeof name === "string" ? name : undefined));
	return identifiers.length === 0 ? [undefined] : [...new Set(identifiers)];
}
