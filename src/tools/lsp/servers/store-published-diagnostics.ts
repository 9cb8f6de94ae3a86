import { canonicalPath, isObject } from "@deputize/ground";
import type { Diagnostic } from "vscode-languageserver-types";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { ServerConnection } from "../transport/open-connection.ts";
import { parseDiagnostics } from "../transport/parse-protocol.ts";
import { toFilePath } from "../workspace/file-uri.ts";

interface PublishedDiagnostics {
	readonly diagnostics: readonly Diagnostic[];
	readonly version?: number;
	/** Order of arrival, on the same counter as our own changes. */
	readonly arrivedAt: number;
	readonly arrivedAtMs: number;
}

export interface PublishedDiagnosticsStore {
	readonly get: (path: string) => PublishedDiagnostics | undefined;
	readonly onPublish: (listener: (path: string) => void) => () => void;
}

/** Keeps the last publication of each file and a bounded number of files, however much a server sends. */
export function storePublishedDiagnostics(
	connection: ServerConnection,
	nextSequence: () => number,
): PublishedDiagnosticsStore {
	const byPath = new Map<string, PublishedDiagnostics>();
	const listeners = new Set<(path: string) => void>();
	connection.onNotification("textDocument/publishDiagnostics", (params) => {
		if (!isObject(params) || typeof params["uri"] !== "string") return;
		const path = toFilePath(params["uri"]);
		if (path === undefined) return;
		const key = canonicalPath(path);
		byPath.delete(key);
		byPath.set(key, {
			diagnostics: parseDiagnostics(params["diagnostics"]),
			...(typeof params["version"] === "number" ? { version: params["version"] } : {}),
			arrivedAt: nextSequence(),
			arrivedAtMs: performance.now(),
		});
		if (byPath.size > LSP_LIMITS.maxFilesWithDiagnostics) {
			const oldest = byPath.keys().next().value;
			if (oldest !== undefined) byPath.delete(oldest);
		}
		for (const listener of listeners) listener(key);
	});
	return {
		get: (path) => byPath.get(path),
		onPublish: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
