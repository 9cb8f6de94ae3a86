// `npm run test:clients cross`: one agent delegates to another over `deputize mcp`, real programs against scripted models on
// loopback. The child reads, tries to write in three ways and hands over; nothing may be written, and nothing left running.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { CLI } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { startScriptedProvider } from "../helpers/scripted-provider.ts";
import { createTestHome } from "../helpers/test-home.ts";
import { CLIENT_DRIVERS } from "./client-table.ts";
import { startScriptedModel } from "./scripted-model.ts";

const RUN_MS = 120_000;
/** Undefined: `auto`, which is the client's own program. */
const PAIRS = [
	["claude", "codex"],
	["codex", "claude"],
	["claude", undefined],
	["codex", undefined],
] as const;

async function tryPair(client: "claude" | "codex", runtime: "claude" | "codex" | undefined): Promise<string> {
	const row = RUNTIME_ROWS[runtime ?? client];
	const at = createTestHome({ "hello.txt": "hello world\n" });
	const root = mkdtempSync(join(tmpdir(), "deputize-cross-"));
	const model = await startScriptedModel();
	const child = await startScriptedProvider(
		[
			{ calls: [row.read(at, "hello.txt")] },
			{ calls: row.write(at, "written.txt") },
			row.handOver({ status: "SUCCESS", result: "CHILD SAYS hello.txt:1" }),
		],
		row.api,
	);
	try {
		model.follow([{ calls: [{ agent: "explorer", task: "Where is hello?" }] }, { text: "All done." }], {
			delayMs: 0,
		});
		const driver = CLIENT_DRIVERS.find(({ name }) => name === client);
		if (driver === undefined) throw new Error(`no driver for ${client}`);
		// The child has a home of its own, so that its provider is not the client's.
		const { env = {} } = row.configure(at, child);
		const place = { root, home: join(root, "home"), project: at.project, port: model.port };
		const server = {
			command: process.execPath,
			args: [CLI, "mcp", "--cwd", at.project, ...(runtime ? ["--runtime", runtime] : [])],
			env: Object.fromEntries(
				Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
			),
		};
		const launch = driver.headless({ ...place, server }, "Find hello.");
		const program = spawn(launch.program, launch.args, {
			cwd: at.project,
			env: {
				PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
				HOME: place.home,
				LANG: "C.UTF-8",
				...launch.env,
			},
			stdio: ["ignore", "ignore", "ignore"],
			timeout: RUN_MS,
		});
		await new Promise((resolve) => program.on("exit", resolve));
		const told = JSON.stringify(model.requests.at(-1) ?? {});
		const problems = [
			...(told.includes("CHILD SAYS hello.txt:1")
				? []
				: [`no answer (${child.asked()} requests of the child)`]),
			...(child.requests().at(-1)?.includes("hello world") ? [] : ["the file was not read"]),
			...(existsSync(join(at.project, "written.txt")) ? ["A FILE WAS WRITTEN"] : []),
			...(listProcessesOf(at.home).length > 0 ? ["processes are left"] : []),
		];
		return problems.join(", ");
	} finally {
		await Promise.all([model.close(), child.close()]);
		at.remove();
		rmSync(root, { recursive: true, force: true });
	}
}

for (const [client, runtime] of PAIRS) {
	const problem = await tryPair(client, runtime);
	process.stdout.write(
		`${client} -> ${runtime ?? "auto"}: ${problem === "" ? "answered, nothing written, nothing left" : problem}\n`,
	);
	if (problem !== "") process.exitCode = 1;
}
