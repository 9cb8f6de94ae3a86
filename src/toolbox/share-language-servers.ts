import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listIfThere, openOnce } from "@deputize/ground";
import type { LspSocket } from "../contract/plan.ts";
import { isProcessAlive } from "../process/identify-process.ts";
import type { LspTool } from "../tools/lsp/create-lsp-tool.ts";

/**
 * Children use the servers of this process instead of each starting their own. The socket is below pi's own
 * directory: a confined child has its own view of the temporary one.
 */
export function shareLanguageServers(
	openLsp: () => Promise<LspTool | undefined>,
	{ agentDirectory, cwd }: { readonly agentDirectory: string; readonly cwd: string },
) {
	const shelf = join(agentDirectory, "deputize");
	const directory = join(shelf, `lsp-${process.pid}-${randomBytes(3).toString("hex")}`);
	const load = () => Promise.all([openLsp(), import("../tools/lsp/sharing/serve-children.ts")]);
	const start = openOnce(async () => {
		try {
			const [lsp, { serveLspToChildren }] = await load();
			if (!lsp) return undefined;
			await sweepLeft(shelf);
			// Whether servers of a project may run was decided for this directory and for no other.
			const service = await serveLspToChildren(lsp, { directory, cwd });
			const { socketPath: path, token } = service;
			return { socket: { path, token, isConfined: await lsp.isConfined() }, close: service.close };
		} catch {
			// Without a socket every child starts its own servers: slower, not wrong.
			return undefined;
		}
	});
	return {
		/** All that takes time before `open`, which a first child waits for. Nothing is started. */
		load,
		/** Where children can reach the servers. Opened by the first delegation; undefined if that does not work here. */
		open: async (): Promise<LspSocket | undefined> => (await start())?.socket,
		async close(): Promise<void> {
			if (start.opened() === undefined) return;
			await (await start.opened())?.close();
			// `force` is not enough: below a home that is a file, even asking is an error.
			if (existsSync(directory)) await rm(directory, { recursive: true, force: true });
		},
	};
}

export type SharedLanguageServers = ReturnType<typeof shareLanguageServers>;

/** Removes the directories of processes that were killed. */
async function sweepLeft(shelf: string): Promise<void> {
	for (const name of listIfThere(shelf)) {
		const pid = Number(/^lsp-(\d+)-[0-9a-f]{6}$/.exec(name)?.[1]);
		if (pid > 0 && !isProcessAlive({ pid })) await rm(join(shelf, name), { recursive: true, force: true });
	}
}
