// `npm run test:clients [client…] [-- --write]`: drives real MCP clients, headless and at a terminal (tmux), against a scripted
// model on loopback and the compiled package. Prints a table; with --write also puts it into docs/clients.md.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcessesOf, readCommandLine } from "../helpers/pi-door-processes.ts";
import { CLI } from "../helpers/run-cli.ts";
import { CLIENT_DRIVERS, type ClientDriver, type ClientHome, type Launch } from "./client-table.ts";
import {
	type ChildStep,
	type ClientStep,
	LAST_SESSION,
	type ScriptedModel,
	startScriptedModel,
} from "./scripted-model.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/clients.md");
const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const drivers = CLIENT_DRIVERS.filter(({ name }) => names.length === 0 || names.includes(name));
const RUN_MS = 90_000;
const GONE_MS = 15_000;

const ASK = { agent: "explorer", task: "Where is hello?" };
const DONE: ClientStep = { text: "All done." };

interface Check {
	readonly name: string;
	readonly isGood: boolean;
	readonly note: string;
}

const good = (name: string, note = "yes"): Check => ({ name, isGood: true, note });
const judge = (name: string, isGood: boolean, bad: string, note = "yes"): Check =>
	isGood ? good(name, note) : { name, isGood, note: bad };

async function withHome<Value>(
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

function toEnvironment(home: ClientHome, launch: Launch): Record<string, string> {
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

function start(home: ClientHome, launch: Launch) {
	const client = spawn(launch.program, launch.args, {
		cwd: home.project,
		env: toEnvironment(home, launch),
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const pipe of [client.stdout, client.stderr])
		pipe.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
	const exited = new Promise<number | null>((resolve) => client.on("exit", resolve));
	return { client, exited, output: () => output };
}

async function runToEnd(home: ClientHome, launch: Launch): Promise<string> {
	const { client, exited, output } = start(home, launch);
	const timer = setTimeout(() => client.kill("SIGKILL"), RUN_MS);
	await exited;
	clearTimeout(timer);
	if (process.env["CLIENT_OUTPUT"]) writeFileSync(process.env["CLIENT_OUTPUT"], output());
	return output();
}

async function until(test: () => boolean, waitMs: number): Promise<boolean> {
	for (let waited = 0; waited < waitMs; waited += 100) {
		if (test()) return true;
		await sleep(100);
	}
	return test();
}

const nothingLeft = (home: ClientHome): Promise<boolean> =>
	until(() => listProcessesOf(home.home).length === 0, GONE_MS);
const textOf = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1) ?? {});
const count = (text: string, part: string): number => text.split(part).length - 1;

async function checkAnswers(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	const steps: ClientStep[] = [
		{ calls: [ASK, { ...ASK, task: "Where is world?" }] },
		{ calls: [{ agent: "nobody", task: "x" }] },
		DONE,
	];
	return withHome(model, { steps, child: { delayMs: 1500 } }, async (home) => {
		const output = await runToEnd(home, driver.headless(home, "Find hello."));
		const text = textOf(model);
		const left = await nothingLeft(home);
		const sawTool = model.requests.length > 0;
		return [
			judge("tool in the first request", sawTool, `no: ${output.slice(-300)}`),
			judge("answer", count(text, "**Status:** SUCCESS") >= 2, "no"),
			judge("two calls at once", model.children.atOnce >= 2, "one after the other"),
			judge("error", text.includes("**Status:** ERROR"), "no"),
			judge("nothing left", left, "no"),
		];
	});
}

async function checkJoin(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	const join = { calls: [{ ...ASK, task: "wait", sessionId: LAST_SESSION }], unless: "**Status:** SUCCESS" };
	const steps: ClientStep[] = [{ calls: [ASK] }, join, join, join, join, DONE];
	const options = { steps, child: { delayMs: 3500 }, serverArgs: ["--answer-within-ms", "2500"] };
	return withHome(model, options, async (home) => {
		await runToEnd(home, driver.headless(home, "Find hello."));
		const text = textOf(model);
		const joined =
			text.includes("**Status:** RUNNING") &&
			text.includes("**Status:** SUCCESS") &&
			model.children.count === 1;
		return [judge("joining after RUNNING", joined, `no (${model.children.count} children)`)];
	});
}

/** Some clients ignore SIGINT while a tool runs; then they are terminated, and that must leave nothing either. */
async function checkInterrupt(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	return withHome(model, { steps: [{ calls: [ASK] }, DONE], child: { hang: true } }, async (home) => {
		const { client, exited } = start(home, driver.headless(home, "Find hello."));
		const timer = setTimeout(() => client.kill("SIGKILL"), RUN_MS);
		await until(() => model.children.open > 0, RUN_MS / 2);
		client.kill("SIGINT");
		const obeyed = await Promise.race([exited.then(() => true), sleep(8000, false)]);
		if (!obeyed) client.kill("SIGTERM");
		const left = await nothingLeft(home);
		const isGone = model.children.open === 0;
		if (client.exitCode === null) client.kill("SIGKILL");
		await exited;
		clearTimeout(timer);
		return [
			judge(
				"SIGINT, headless",
				left && isGone,
				"something was left",
				obeyed ? "ends all" : "ignored; SIGTERM ends all",
			),
		];
	});
}

async function checkTerminal(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	return withHome(model, { steps: [{ calls: [ASK] }, DONE], child: { hang: true } }, async (home) => {
		const launch = driver.terminal(home);
		const socket = join(home.root, "tmux");
		const tmux = (...args: string[]): string =>
			execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
		const screen = (): string => tmux("capture-pane", "-p", "-t", "x");
		const variables = Object.entries(toEnvironment(home, launch)).map(([name, value]) => `${name}=${value}`);
		tmux(
			"-f",
			"/dev/null",
			"new-session",
			"-d",
			"-s",
			"x",
			"-x",
			"110",
			"-y",
			"40",
			"-c",
			home.project,
			"env",
			"-i",
			...variables,
			launch.program,
			...launch.args,
		);
		try {
			let before = "";
			await until(() => {
				const now = screen();
				const isStill = now.trim() !== "" && now === before;
				before = now;
				return isStill && now.split("\n").filter((line) => line.trim()).length > 3;
			}, 30_000);
			await sleep(2500);
			tmux("send-keys", "-t", "x", "-l", "Find hello.");
			await sleep(1000);
			tmux("send-keys", "-t", "x", "Enter");
			const began = await until(() => model.children.open > 0, 30_000);
			const shown = began && (await until(() => /explorer ·/.test(screen()), 13_000));
			saveScreen(driver, "running", screen());
			for (const { key, waitMs } of driver.interrupt) {
				await sleep(waitMs);
				tmux("send-keys", "-t", "x", key);
			}
			const stopped = await until(() => model.children.open === 0, 8000);
			saveScreen(driver, "after-interrupt", screen());
			tmux("kill-server");
			const left = await nothingLeft(home);
			if (!left) console.error(listProcessesOf(home.home).map((pid) => readCommandLine(pid).join(" ")));
			return [
				judge(
					"progress on the screen",
					shown === driver.showsProgress,
					began ? "changed" : `did not start: ${before.trim().slice(-300)}`,
					shown ? "yes" : "not shown by the client",
				),
				judge(
					"Esc",
					stopped === driver.passesInterrupt && began,
					stopped ? "changed: is passed on now" : "child runs on",
					stopped ? "ends the child" : "not passed on by the client",
				),
				judge("terminal closed", left, "something was left", "nothing left"),
			];
		} finally {
			try {
				tmux("kill-server");
			} catch {
				// It is gone already.
			}
		}
	});
}

function saveScreen(driver: ClientDriver, name: string, text: string): void {
	const directory = process.env["CLIENT_SCREENS"];
	if (directory) writeFileSync(join(directory, `${driver.name}-${name}.txt`), text);
}

function readVersion(driver: ClientDriver): string {
	const manifest = join(ROOT, "test/peers", driver.package, "package.json");
	return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

const model = await startScriptedModel();
const columns: { driver: ClientDriver; checks: readonly Check[] }[] = [];
try {
	for (const driver of drivers) {
		const checks: Check[] = [];
		for (const check of [checkAnswers, checkJoin, checkInterrupt, checkTerminal]) {
			checks.push(...(await check(driver, model)));
		}
		columns.push({ driver, checks });
		for (const { name, isGood, note } of checks)
			console.error(`${isGood ? "ok  " : "FAIL"} ${driver.title}: ${name}: ${note}`);
	}
} finally {
	await model.close();
}

const rows =
	columns[0]?.checks.map(
		({ name }, row) =>
			`| ${name} | ${columns.map(({ checks }) => checks[row]?.note.replace(/\s+/g, " ") ?? "").join(" | ")} |`,
	) ?? [];
const table = [
	`| | ${columns.map(({ driver }) => `${driver.title} ${readVersion(driver)}`).join(" | ")} |`,
	`|---|${columns.map(() => "---").join("|")}|`,
	...rows,
].join("\n");
console.log(table);
if (process.argv.includes("--write")) {
	const page = readFileSync(PAGE, "utf8");
	const part = /(<!-- made by npm run test:clients -->\n)[\s\S]*?(\n<!-- end -->)/;
	writeFileSync(
		PAGE,
		page.replace(part, (_all, begin: string, end: string) => `${begin}${table}${end}`),
	);
}
process.exitCode = columns.every(({ checks }) => checks.every(({ isGood }) => isGood)) ? 0 : 1;
