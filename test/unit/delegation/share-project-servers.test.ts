import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shareProjectServers } from "../../../src/delegation/share-project-servers.ts";
import { askParent } from "../../../src/tools/lsp/sharing/ask-parent.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const ask = (socket: { readonly path: string; readonly token: string }, cwd: string) =>
	askParent({
		socketPath: socket.path,
		token: socket.token,
		input: { action: "servers" },
		context: { cwd, signal: new AbortController().signal },
		answerTimeoutMs: 10_000,
	});

describe("language servers for the delegations of a door", () => {
	it("answer children of the same directory, and leave nothing when they are closed", async () => {
		const servers = shareProjectServers({ cwd: home.project, env: home.env });
		const socket = await servers?.open();
		if (!servers || !socket) throw new Error("nothing was opened");
		expect(await servers.open()).toBe(socket);
		expect((await ask(socket, home.project)).text).toContain("typescript");
		await expect(ask(socket, home.home)).rejects.toThrow("another working directory");
		await servers.close();
		expect(existsSync(dirname(socket.path))).toBe(false);
		const left = readdirSync(join(home.agentDirectory, "deputize")).filter((name) => name.startsWith("lsp-"));
		expect(left).toEqual([]);
	});

	it("sweep what a killed process left, and nothing else", async () => {
		const shelf = join(home.agentDirectory, "deputize");
		for (const name of ["lsp-4194300-abcdef", `lsp-${process.ppid}-abcdef`, "lsp-notes"])
			mkdirSync(join(shelf, name), { recursive: true });
		const servers = shareProjectServers({ cwd: home.project, env: home.env });
		await servers?.open();
		await servers?.close();
		const left = readdirSync(shelf).filter((name) => name.startsWith("lsp-"));
		expect(left).toEqual([`lsp-${process.ppid}-abcdef`, "lsp-notes"]);
	});

	it("do not exist where the configuration says so", () => {
		for (const config of [
			{ lsp: { enabled: false } },
			{ lsp: { shareWithChildren: false } },
			{ subagents: { allowLspTools: false } },
		]) {
			home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify(config));
			expect(shareProjectServers({ cwd: home.project, env: home.env })).toBeUndefined();
		}
	});
});
