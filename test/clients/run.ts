// `npm run test:clients [client…] [-- --write]`: drives real MCP clients, headless and at a terminal (tmux), against a scripted
// model on loopback and the compiled package. Prints a table; --write also writes it into docs/clients.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listChildrenOf, listProcessesOf, readCommandLine } from "../helpers/pi-door-processes.ts";
import { withHome } from "./client-home.ts";
import { CLIENT_DRIVERS, type ClientDriver } from "./client-table.ts";
import { openClientTerminal } from "./client-terminal.ts";
import { GONE_MS, nothingLeft, runClient, startClient, until } from "./drive-client.ts";
import { type ClientStep, LAST_SESSION, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { showPart, toTitle } from "./write-page-part.ts";

const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const drivers = CLIENT_DRIVERS.filter(({ name }) => names.length === 0 || names.includes(name));
const RUN_MS = 90_000;

const PROMPT = "Find hello.";
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

const textOf = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1) ?? {});
const count = (text: string, part: string): number => text.split(part).length - 1;

async function checkAnswers(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	const steps: ClientStep[] = [
		{ calls: [ASK, { ...ASK, task: "Where is world?" }] },
		{ calls: [{ agent: "nobody", task: "x" }] },
		DONE,
	];
	return withHome(model, { steps, child: { delayMs: 1500 } }, async (home) => {
		const output = await runClient(home, driver.headless(home, PROMPT), RUN_MS);
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
		await runClient(home, driver.headless(home, PROMPT), RUN_MS);
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
		const { client, exited } = startClient(home, driver.headless(home, PROMPT));
		const timer = setTimeout(() => client.kill("SIGKILL"), RUN_MS);
		await until(() => model.children.open > 0, RUN_MS / 2);
		client.kill("SIGINT");
		const obeyed = await Promise.race([exited.then(() => true), sleep(8000, false)]);
		if (!obeyed) client.kill("SIGTERM");
		const left = await nothingLeft(home);
		const isGone = model.children.open === 0;
		if (!left) console.error(listProcessesOf(home.home).map((pid) => readCommandLine(pid).join(" ")));
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
		const terminal = await openClientTerminal(driver, home, PROMPT);
		const { screen } = terminal;
		try {
			const began = await until(() => model.children.open > 0, 30_000);
			const shown = began && (await until(() => /explorer ·/.test(screen()), 13_000));
			const screenBefore = screen();
			saveScreen(driver, "running", screenBefore);
			for (const { key, waitMs } of driver.interrupt) {
				await sleep(waitMs);
				terminal.press(key);
			}
			const stopped = await until(() => model.children.open === 0, 8000);
			saveScreen(driver, "after-interrupt", screen());
			terminal.close();
			// A client that stays keeps its server, which must be idle.
			const left = driver.staysResident
				? await until(() => listChildrenOf(home.home).length === 0, GONE_MS)
				: await nothingLeft(home);
			if (!left) console.error(listProcessesOf(home.home).map((pid) => readCommandLine(pid).join(" ")));
			return [
				judge(
					"progress on the screen",
					shown === driver.showsProgress,
					began ? "changed" : `did not start: ${screenBefore.trim().slice(-300)}`,
					shown ? "yes" : "not shown by the client",
				),
				judge(
					"Esc",
					stopped === driver.passesInterrupt && began,
					stopped ? "changed: is passed on now" : "child runs on",
					stopped ? "ends the child" : "not passed on by the client",
				),
				judge(
					"terminal closed",
					left,
					"something was left",
					driver.staysResident
						? "no child left; the client's own daemon stays, with the idle server"
						: "nothing left",
				),
			];
		} finally {
			terminal.close();
		}
	});
}

const PROJECT_AGENT = "---\nname: audit\ndescription: Audits\nreadonly: true\n---\nYou audit.\n";
const QUESTION = /Run the agent "audit" that came with this project/;

/** An agent that came with the project runs after the person said yes in a form, and not at all where there are none. */
async function checkQuestion(driver: ClientDriver, model: ScriptedModel): Promise<readonly Check[]> {
	const name = "question about a project's agent";
	const steps: ClientStep[] = [{ calls: [{ agent: "audit", task: "Audit hello." }] }, DONE];
	return withHome(model, { steps, child: { delayMs: 0 } }, async (home) => {
		mkdirSync(join(home.project, ".agents"));
		writeFileSync(join(home.project, ".agents/audit.md"), PROJECT_AGENT);
		if (driver.accept === undefined) {
			await runClient(home, driver.headless(home, PROMPT), RUN_MS);
			const isRefused = textOf(model).includes("was not run") && model.children.count === 0;
			return [judge(name, isRefused, "it ran", "not asked: refused")];
		}
		const terminal = await openClientTerminal(driver, home, PROMPT);
		try {
			const shown = await until(() => QUESTION.test(terminal.screen()), 30_000);
			saveScreen(driver, "question", terminal.screen());
			const ranBefore = model.children.count > 0;
			for (const key of driver.accept) {
				await sleep(700);
				terminal.press(key);
			}
			const answered = await until(() => textOf(model).includes("**Status:** SUCCESS"), 20_000);
			const problem = shown ? "no answer after yes" : `not shown: ${terminal.screen().trim().slice(-300)}`;
			return [judge(name, shown && !ranBefore && answered, problem, "asked; runs after yes")];
		} finally {
			terminal.close();
		}
	});
}

function saveScreen(driver: ClientDriver, name: string, text: string): void {
	const directory = process.env["CLIENT_SCREENS"];
	if (directory) writeFileSync(join(directory, `${driver.name}-${name}.txt`), text);
}

const model = await startScriptedModel();
const columns: { driver: ClientDriver; checks: readonly Check[] }[] = [];
try {
	for (const driver of drivers) {
		const checks: Check[] = [];
		for (const check of [checkAnswers, checkJoin, checkInterrupt, checkTerminal, checkQuestion]) {
			for (const checked of await check(driver, model)) {
				checks.push(checked);
				const { name, isGood, note } = checked;
				console.error(`${isGood ? "ok  " : "FAIL"} ${driver.title}: ${name}: ${note}`);
			}
		}
		columns.push({ driver, checks });
	}
} finally {
	await model.close();
}

const rows =
	columns[0]?.checks.map(
		({ name }, row) =>
			`| ${name} | ${columns.map(({ checks }) => checks[row]?.note.replace(/\s+/g, " ") ?? "").join(" | ")} |`,
	) ?? [];
showPart("test:clients", [
	`| | ${columns.map(({ driver }) => toTitle(driver)).join(" | ")} |`,
	`|---|${columns.map(() => "---").join("|")}|`,
	...rows,
]);
process.exitCode = columns.every(({ checks }) => checks.every(({ isGood }) => isGood)) ? 0 : 1;
