import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
	createWorkspace,
	hasSystemProgram,
	installServer,
	installTypescript,
	isGone,
	type LspWorkspace,
} from "../helpers/lsp-workspace.ts";

const HOST = resolve(import.meta.dirname, "../helpers/lsp-long-lived-host.mjs");

let workspace: LspWorkspace;
let host: ChildProcess | undefined;

afterEach(() => {
	host?.kill("SIGKILL");
	workspace.remove();
});

/** Everything the process started, and what those started. */
function descendantsOf(pid: number): number[] {
	const parents = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			try {
				const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ");
				return [[Number(name), Number(fields?.[1])] as const];
			} catch {
				return [];
			}
		});
	const children = (of: number): number[] =>
		parents.filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...children(child)]);
	return children(pid);
}

async function startHost(input: object): Promise<{ pid: number; servers: number[]; answer: string }> {
	const argument = JSON.stringify({ cwd: workspace.directory, input });
	const started = spawn(process.execPath, [HOST, argument], { stdio: ["ignore", "pipe", "inherit"] });
	host = started;
	const answer = await new Promise<string>((done, fail) => {
		let text = "";
		started.stdout.on("data", (chunk) => {
			text += chunk;
			if (text.includes("\n")) done(text);
		});
		started.on("exit", () => fail(new Error(`the host ended: ${text}`)));
	});
	const pid = started.pid ?? 0;
	return { pid, servers: descendantsOf(pid), answer };
}

describe("servers of a host that is killed", () => {
	it.each([
		["typescript-language-server", "typescript-project", "area"],
		["typescript-7", "typescript-project", "area"],
		["pyright-langserver", "python-project", "sum_prices"],
		["bash-language-server", "bash-project", "say_hello"],
	])("end by themselves: %s", async (program, fixture, query) => {
		workspace = createWorkspace(fixture);
		if (program === "typescript-7") installTypescript(workspace, "typescript-7");
		else installServer(workspace, program);
		if (program === "typescript-language-server") installTypescript(workspace, "typescript-5");
		const { pid, servers, answer } = await startHost({ action: "definition", query });
		expect(answer).toContain(`definition of ${query}`);
		expect(servers.length).toBeGreaterThan(0);
		process.kill(pid, "SIGKILL");
		await expect
			.poll(() => servers.filter((server) => !isGone(server)), { timeout: 30_000, interval: 200 })
			.toEqual([]);
	});

	it.runIf(hasSystemProgram("clangd", "clangd"))("end by themselves: clangd", async () => {
		workspace = createWorkspace("c-project");
		const { pid, servers } = await startHost({ action: "definition", query: "ring_push" });
		expect(servers.length).toBeGreaterThan(0);
		process.kill(pid, "SIGKILL");
		await expect
			.poll(() => servers.filter((server) => !isGone(server)), { timeout: 30_000, interval: 200 })
			.toEqual([]);
	});
});
