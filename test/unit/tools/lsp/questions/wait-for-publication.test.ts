import { afterEach, expect, it, vi } from "vitest";
import { createDeadline } from "../../../../../packages/ground/waiting/create-deadline.ts";
import { LspError } from "../../../../../src/tools/lsp/lsp-error.ts";
import { awaitOwnCheck, readDiagnostics } from "../../../../../src/tools/lsp/questions/read-diagnostics.ts";
import { TSSERVER_COMMAND } from "../../../../../src/tools/lsp/questions/read-tsserver-diagnostics.ts";
import type { PooledServer } from "../../../../../src/tools/lsp/servers/server-slot.ts";
import type { OpenDocument } from "../../../../../src/tools/lsp/workspace/open-documents.ts";

const document = { path: "/a", uri: "file:///a", version: 1, lines: [] } as unknown as OpenDocument;
const deadline = createDeadline(
	20_000,
	new AbortController().signal,
	() => new LspError("LSP_TIMEOUT", "late"),
);
afterEach(() => deadline.end());

/** A server that publishes a little later, and counts how often somebody looks for it until then. */
function createServer(commands: readonly string[], goneReason?: string) {
	const listeners = new Set<() => void>();
	let publication:
		| { arrivedAt: number; version: number; diagnostics: readonly never[]; arrivedAtMs: number }
		| undefined;
	const get = vi.fn(() => publication);
	const subscribe = (listener: () => void) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const server = {
		capabilities: { executeCommandProvider: { commands } },
		supports: () => false,
		published: { get, onPublish: subscribe },
		registrations: { onChange: () => () => undefined },
		progress: { openCount: () => 0 },
		goneReason: () => goneReason,
	};
	setTimeout(() => {
		publication = { arrivedAt: 2, version: 1, diagnostics: [], arrivedAtMs: performance.now() };
		for (const listener of listeners) listener();
	}, 50);
	const pooled = { server, synchronizer: { workspaceChangedAt: () => 0 } } as unknown as PooledServer;
	return { pooled, get, listeners };
}

it("waits for events between two looks at what was published", async () => {
	const { pooled, get, listeners } = createServer([]);
	expect(await readDiagnostics(pooled, document, deadline)).toEqual([]);
	expect(get.mock.calls.length).toBeLessThan(6);
	expect(listeners.size).toBe(0);
});

it("waits for events until a server has begun its own check", async () => {
	const { pooled, get, listeners } = createServer([TSSERVER_COMMAND]);
	await awaitOwnCheck(pooled.server, document, deadline);
	expect(get.mock.calls.length).toBeLessThan(6);
	expect(get.mock.results.at(-1)?.value).toBeDefined();
	expect(listeners.size).toBe(0);
});

it("does not wait for the publication of a server that is gone", async () => {
	const { pooled } = createServer([TSSERVER_COMMAND], "it crashed");
	await expect(awaitOwnCheck(pooled.server, document, deadline)).rejects.toThrow("the server ended");
});
