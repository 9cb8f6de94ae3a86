import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { codeOf, toStamp } from "@deputize/ground";
import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { ServerConnection } from "../transport/open-connection.ts";
import { toFileUri } from "./file-uri.ts";
import { splitAtLineBreaks } from "./text-positions.ts";

export interface OpenDocument {
	readonly path: string;
	readonly uri: string;
	/** Its place in the order of our changes, in all files, and of the diagnostics that arrive. */
	readonly version: number;
	readonly text: string;
	readonly lines: readonly string[];
}

interface KnownDocument extends OpenDocument {
	readonly stamp: string;
}

const OVERLAY_STAMP = "overlay";

export function createOpenDocuments(
	connection: Pick<ServerConnection, "notify">,
	languageIdOf: (path: string) => string,
	nextSequence: () => number,
) {
	const known = new Map<string, KnownDocument>();

	function announce(path: string, text: string, stamp: string): KnownDocument {
		const before = known.get(path);
		const version = nextSequence();
		const uri = toFileUri(path);
		const document = { path, uri, version, text, lines: splitAtLineBreaks(text), stamp };
		if (before === undefined) {
			const languageId = languageIdOf(path);
			connection.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
		} else {
			connection.notify("textDocument/didChange", {
				textDocument: { uri, version },
				contentChanges: [{ text }],
			});
		}
		remember(document);
		return document;
	}

	function remember(document: KnownDocument): void {
		known.delete(document.path);
		known.set(document.path, document);
		if (known.size <= LSP_LIMITS.maxOpenDocuments) return;
		const oldest = known.keys().next().value;
		if (oldest !== undefined) close(oldest);
	}

	function close(path: string): void {
		const document = known.get(path);
		if (document === undefined) return;
		known.delete(path);
		connection.notify("textDocument/didClose", { textDocument: { uri: document.uri } });
	}

	async function open(path: string): Promise<OpenDocument> {
		const before = known.get(path);
		const stamp = readStamp(path);
		if (before !== undefined && before.stamp === stamp) {
			remember(before);
			return before;
		}
		const text = await readDocumentText(path);
		// Another call may have opened it while this one was reading.
		const current = known.get(path);
		if (current !== undefined && current.text === text) {
			const document = { ...current, stamp };
			remember(document);
			return document;
		}
		const document = announce(path, text, stamp);
		if (current !== undefined) {
			connection.notify("textDocument/didSave", { textDocument: { uri: document.uri }, text });
		}
		return document;
	}

	return {
		/** Opens the file, or brings an open one up to date with the disk. */
		open,
		paths: (): readonly string[] => [...known.keys()],
		/** Shows the server a text that is not on disk, until the next `open` of the file. */
		overlay: (path: string, text: string): OpenDocument => announce(path, text, OVERLAY_STAMP),
		/** The same text again, so that a server which only publishes after changes publishes. */
		touch: async (path: string): Promise<OpenDocument> => {
			const document = await open(path);
			return announce(path, document.text, known.get(path)?.stamp ?? OVERLAY_STAMP);
		},
		reopen: async (path: string): Promise<OpenDocument> => {
			close(path);
			return open(path);
		},
		close,
	};
}

/** Synchronous: this happens before every question, and the thread pool would cost more than the answer. */
function readStamp(path: string): string {
	try {
		const found = statSync(path);
		if (found.isFile()) return toStamp(found);
	} catch (error) {
		throw toUnreadable(path, error);
	}
	throw new LspError("INVALID_INPUT", `${path} is not a regular file.`);
}

async function readDocumentText(path: string): Promise<string> {
	const bytes = await readFile(path).catch((error: unknown) => {
		throw toUnreadable(path, error);
	});
	if (bytes.length <= LSP_LIMITS.maxDocumentBytes) return bytes.toString("utf8");
	throw new LspError(
		"INVALID_INPUT",
		`${path} has ${bytes.length} bytes; files above ${LSP_LIMITS.maxDocumentBytes} are not given to a language server.`,
	);
}

function toUnreadable(path: string, error: unknown): LspError {
	return new LspError("INVALID_INPUT", `${path} cannot be read (${codeOf(error)}).`);
}
