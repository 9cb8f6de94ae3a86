import { basename, extname } from "node:path";
import { languageOf } from "../servers/select-server.ts";
import type { ServerDefinition } from "../servers/server-table.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import { toFileUri } from "./file-uri.ts";
import type { FileChange, WorkspaceWatch } from "./watch-workspace.ts";

/** Opening more than this for one server would make it slower than it is wrong. */
const MAX_FILES_OPENED_PER_CHANGE = 16;
const CHANGE_TYPE = { created: 1, changed: 2, deleted: 3 } as const;

export function createServerSynchronizer(server: LanguageServer, watch: WorkspaceWatch) {
	const pending = new Map<string, FileChange["kind"]>();
	let changedAt = 0;
	const unsubscribe = watch.subscribe(({ path, kind }) => {
		if (isInteresting(server.launch.definition, path)) pending.set(path, kind);
	});

	async function synchronize(): Promise<void> {
		await watch.refresh();
		const changes = [...pending];
		pending.clear();
		for (const path of server.documents.paths()) {
			const change = changes.find(([changed]) => changed === path)?.[1];
			if (change === undefined && watch.covers(path)) continue;
			await updateOpenDocument(server, path);
		}
		if (changes.length === 0) return;
		server.notify("workspace/didChangeWatchedFiles", {
			changes: changes.map(([path, kind]) => ({ uri: toFileUri(path), type: CHANGE_TYPE[kind] })),
		});
		await openUnwatched(server, changes);
		changedAt = server.sequence();
	}

	let running: Promise<void> = Promise.resolve();
	return {
		synchronize: (): Promise<void> => {
			const next = running.then(synchronize);
			running = next.catch(() => undefined);
			return next;
		},
		/** Our counter when something other than an open file last changed; older publications are stale. */
		workspaceChangedAt: (): number => changedAt,
		close: unsubscribe,
	};
}

/** Makes what a server knows equal to what is on disk, before it is asked anything. */
export type ServerSynchronizer = ReturnType<typeof createServerSynchronizer>;

/** A file that is gone is closed, so that the server looks at the disk again. */
async function updateOpenDocument(server: LanguageServer, path: string): Promise<void> {
	try {
		await server.documents.open(path);
	} catch {
		server.documents.close(path);
	}
}

/**
 * A server that did not ask for watched files ignores the notification, or watches by itself and may be late.
 * It believes the text of open files, so changed files are opened.
 */
async function openUnwatched(
	server: LanguageServer,
	changes: readonly (readonly [string, FileChange["kind"]])[],
): Promise<void> {
	if (server.registrations.optionsOf("workspace/didChangeWatchedFiles").length > 0) return;
	const own = changes.filter(
		([path, kind]) => kind !== "deleted" && languageOf(server.launch.definition, path) !== undefined,
	);
	for (const [path] of own.slice(0, MAX_FILES_OPENED_PER_CHANGE)) await updateOpenDocument(server, path);
}

function isInteresting(definition: ServerDefinition, path: string): boolean {
	const name = basename(path);
	if (languageOf(definition, path) !== undefined || definition.rootMarkers.includes(name)) return true;
	return definition.alsoWatches?.some((watched) => watched === name || watched === extname(name)) ?? false;
}
