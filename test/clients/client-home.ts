import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { CLI } from "../helpers/run-cli.ts";
import type { ClientHome, Launch } from "./client-table.ts";
import type { ChildStep, ClientStep, ScriptedModel } from "./scripted-model.ts";

/** A home and a project for one run of a client. Whatever is left of it afterwards is ended. */
export async function withHome<Value>(
	model: ScriptedModel,
	options: {
		readonly steps: readonly ClientStep[];
		readonly child: ChildStep;
		readonly serverArgs?: readonly string[];
	},
	use: (home: ClientHome) => Promise<Value>,
): Promise<Value> {
	const root = mkdtempSync(join(tmpdir(), "deputize-client-"));
	const home: ClientHome = {
		root,
		home: join(root, "home"),
		project: join(root, "project"),
		port: model.port,
		server: {
			command: process.execPath,
			args: [CLI, "mcp", "--runtime", "loop", ...(options.serverArgs ?? [])],
			env: {
				DEPUTIZE_LOOP_URL: `http://127.0.0.1:${model.port}/child/chat/completions`,
				DEPUTIZE_LOOP_MODEL: "scripted",
				DEPUTIZE_LOOP_PROVIDER: "openai-chat",
			},
		},
	};
	mkdirSync(home.home, { recursive: true });
	mkdirSync(home.project, { recursive: true });
	writeFileSync(join(home.project, "hello.txt"), "hello world\n");
	model.follow(options.steps, options.child);
	try {
		return await use(home);
	} finally {
		// Only processes that were started with this home.
		for (const pid of listProcessesOf(home.home)) endProcess(pid);
		rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

function endProcess(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It was faster.
	}
}

export function toEnvironment(home: ClientHome, launch: Launch): Record<string, string> {
	return {
		PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
		HOME: home.home,
		LANG: "C.UTF-8",
		TERM: "xterm-256color",
		HTTPS_PROXY: "http://127.0.0.1:9",
		NO_PROXY: "127.0.0.1,localhost",
		DISABLE_TELEMETRY: "1",
		...launch.env,
	};
}
