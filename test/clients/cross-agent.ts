// `npm run test:clients cross`: one agent delegates to another over `deputize mcp`, real programs against scripted models on
// loopback. The child reads, tries to write in three ways and hands over; nothing may be written, and nothing left running.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { startScriptedProvider } from "../helpers/scripted-provider.ts";
import { createTestHome } from "../helpers/test-home.ts";
import { selectDriver } from "./client-table.ts";
import { nothingLeft, runClient } from "./drive-client.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { showPart, toTitle } from "./write-page-part.ts";

const RUN_MS = 120_000;
interface Pair {
	readonly client: string;
	readonly runtime: "claude" | "codex";
	/** The runtime is not named: it is the client's own program. */
	readonly isChosen?: true;
}

const PAIRS: readonly Pair[] = [
	{ client: "claude", runtime: "codex" },
	{ client: "codex", runtime: "claude" },
	{ client: "copilot", runtime: "claude" },
	{ client: "gemini", runtime: "codex" },
	{ client: "claude", runtime: "claude", isChosen: true },
	{ client: "codex", runtime: "codex", isChosen: true },
];

async function tryPair({ client, runtime, isChosen }: Pair): Promise<string> {
	const row = RUNTIME_ROWS[runtime];
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
		const driver = selectDriver(client);
		// The child has a home of its own, so that its provider is not the client's.
		const { env = {} } = row.configure(at, child);
		const place = { root, home: join(root, "home"), project: at.project, port: model.port };
		const server = {
			command: process.execPath,
			args: [CLI, "mcp", "--cwd", at.project, ...(isChosen ? [] : ["--runtime", runtime])],
			env: Object.fromEntries(
				Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
			),
		};
		const launch = driver.headless({ ...place, server }, "Find hello.");
		const output = await runClient({ ...place, server }, launch, RUN_MS);
		const told = JSON.stringify(model.requests.at(-1) ?? {});
		const problems = [
			...(told.includes("CHILD SAYS hello.txt:1")
				? []
				: [`no answer (${child.asked()} requests of the child)`]),
			...(child.requests().at(-1)?.includes("hello world") ? [] : ["the file was not read"]),
			...(child.asked() < 3 ? ["the child did not try to write"] : []),
			...(existsSync(join(at.project, "written.txt")) ? ["A FILE WAS WRITTEN"] : []),
			...((await nothingLeft(at)) && (await nothingLeft(place)) ? [] : ["processes are left"]),
		];
		if (problems.length > 0) process.stderr.write(`${output.slice(-2000)}\n`);
		return problems.join(", ");
	} finally {
		await Promise.all([model.close(), child.close()]);
		at.remove();
		rmSync(root, { recursive: true, force: true });
	}
}

const rows: string[] = [];
for (const pair of PAIRS) {
	const problem = await tryPair(pair);
	const child = toTitle(selectDriver(pair.runtime));
	const seen = problem === "" ? "answered, nothing written, nothing left" : problem;
	rows.push(
		`| ${toTitle(selectDriver(pair.client))} | ${child}${pair.isChosen ? " (`auto`)" : ""} | ${seen} |`,
	);
	process.stderr.write(`${problem === "" ? "ok  " : "FAIL"} ${pair.client} -> ${pair.runtime}: ${seen}\n`);
	if (problem !== "") process.exitCode = 1;
}
showPart("test:clients cross", ["| Client | Child | Seen |", "|---|---|---|", ...rows]);
