import { describe, expect, it } from "vitest";
import { createDeadline } from "../../../../../packages/ground/waiting/create-deadline.ts";
import { LspError } from "../../../../../src/tools/lsp/lsp-error.ts";
import { trackProgress } from "../../../../../src/tools/lsp/servers/track-progress.ts";
import type { ServerConnection } from "../../../../../src/tools/lsp/transport/open-connection.ts";

function track() {
	const handlers = new Map<string, (params: unknown) => void>();
	const connection: Pick<ServerConnection, "onNotification"> = {
		onNotification: (method, handler) => void handlers.set(method, handler),
	};
	const progress = trackProgress(connection as ServerConnection);
	return { progress, say: (method: string, params: unknown) => handlers.get(method)?.(params) };
}
const deadlineOf = (ms: number) =>
	createDeadline(ms, new AbortController().signal, () => new LspError("LSP_TIMEOUT", "late"));

describe("what a server says about its work", () => {
	it.each<[string, string, unknown, readonly unknown[], readonly unknown[]]>([
		[
			"a progress",
			"$/progress",
			{ token: 1, value: { kind: "begin" } },
			[{ token: 2, value: { kind: "end" } }, { token: 1, value: { kind: "report" } }, { token: 1 }, null],
			[{ token: 1, value: { kind: "end" } }],
		],
		[
			"rust-analyzer's status",
			"experimental/serverStatus",
			{ quiescent: false },
			[],
			[{ quiescent: true }, null],
		],
		[
			"the status of Eclipse JDT",
			"language/status",
			{ type: "Starting" },
			[{ type: "ProjectStatus" }, { type: "Started" }, null],
			[{ type: "ServiceReady" }, { type: "Error" }],
		],
	])("%s begins, goes on and ends", async (_name, method, begin, others, ends) => {
		for (const end of ends) {
			const { progress, say } = track();
			expect(progress.openCount()).toBe(0);
			say(method, begin);
			for (const other of others) say(method, other);
			expect([progress.openCount(), progress.generation()]).toEqual([1, 1]);
			expect(await progress.whenIdle(deadlineOf(10))).toBe(false);
			const deadline = deadlineOf(20_000);
			const idle = progress.whenIdle(deadline);
			say(method, end);
			expect(await idle).toBe(true);
			deadline.end();
			expect(progress.openCount()).toBe(0);
			say(method, begin);
			expect(progress.generation()).toBe(2);
		}
	});
});
