import { type Deadline, isObject, withinDeadline } from "@deputize/ground";
import { unlessLate } from "../lsp-error.ts";
import type { ServerConnection } from "../transport/open-connection.ts";

const MAX_TOKENS = 200;

export function trackProgress(connection: ServerConnection) {
	const open = new Set<string>();
	const waiting = new Set<() => void>();
	let begun = 0;

	const begin = (token: string) => {
		if (open.size >= MAX_TOKENS) return;
		if (!open.has(token)) begun += 1;
		open.add(token);
	};
	const end = (token: string) => {
		open.delete(token);
		if (open.size > 0) return;
		for (const resume of waiting) resume();
		waiting.clear();
	};

	connection.onNotification("$/progress", (params) => {
		if (!isObject(params) || !isObject(params["value"])) return;
		const token = String(params["token"]);
		const { kind } = params["value"];
		if (kind === "begin") begin(token);
		if (kind === "end") end(token);
	});
	// rust-analyzer: work is going on until it is quiescent, whether or not a progress is open.
	connection.onNotification("experimental/serverStatus", (params) => {
		if (isObject(params) && params["quiescent"] === false) begin("server-status");
		else end("server-status");
	});
	// Eclipse JDT.
	connection.onNotification("language/status", (params) => {
		if (!isObject(params)) return;
		if (params["type"] === "Starting") begin("language-status");
		if (params["type"] === "ServiceReady" || params["type"] === "Error") end("language-status");
	});

	return {
		openCount: (): number => open.size,
		/** Grows with every piece of work that begins: equal numbers mean nothing began in between. */
		generation: (): number => begun,
		/** True when all work ended, false when the deadline passed first. */
		whenIdle: async (deadline: Deadline): Promise<boolean> => {
			while (open.size > 0) {
				const ended = new Promise<true>((resolve) => waiting.add(() => resolve(true)));
				if ((await unlessLate(withinDeadline(ended, deadline))) === undefined) return false;
			}
			return true;
		},
	};
}
