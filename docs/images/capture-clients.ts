// Makes claude.svg, codex.svg and cast-claude-asks-codex.svg from real screens: the clients of test/peers/agents at a terminal, the
// compiled package as their MCP server, a scripted model for the client; the child is the offline navigator and, in the recording, a real
// Codex with a scripted model. Run: node docs/images/capture-clients.ts [stills|casts]
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withHome } from "../../test/clients/client-home.ts";
import { CLIENT_DRIVERS, selectDriver } from "../../test/clients/client-table.ts";
import { COLUMNS, openClientTerminal } from "../../test/clients/client-terminal.ts";
import { type ScriptedModel, startScriptedModel } from "../../test/clients/scripted-model.ts";
import { CLI } from "../../test/helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../../test/helpers/runtime-rows.ts";
import { startScriptedProvider } from "../../test/helpers/scripted-provider.ts";
import { createTestHome } from "../../test/helpers/test-home.ts";
import { filmScreen } from "./film-screen.ts";
import { renderCast, renderScreen } from "./render-screen.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Of the recording. */
const ROWS = 24;
const PROMPT = "Find where the tool list of a child is decided.";
const TASK = "Where is the tool list of a child decided? Name the function, with file:line.";
const ANSWER = "A child's tools are decided in src/delegation/filter-tools.ts.";
const steps = [{ calls: [{ agent: "explorer", task: TASK }] }, { text: ANSWER }];

async function captureStills(model: ScriptedModel): Promise<void> {
	for (const driver of CLIENT_DRIVERS.filter(({ name }) => name === "claude" || name === "codex")) {
		await withHome(model, { steps, child: { delayMs: 0 }, serverArgs: ["--offline"] }, async (home) => {
			for (const folder of ["delegation", "contract", "agents"]) {
				cpSync(join(ROOT, "src", folder), join(home.project, "src", folder), { recursive: true });
			}
			const terminal = await openClientTerminal(driver, home, PROMPT);
			try {
				for (let waited = 0; waited < 60_000 && !terminal.screen().includes(ANSWER); waited += 250)
					await sleep(250);
				// Claude Code folds what a tool answered; this key unfolds it.
				if (driver.name === "claude") terminal.press("C-o");
				await sleep(2000);
				const lines = terminal.coloredScreen().replaceAll(home.project, "~/project").split("\n");
				const plain = terminal.screen().split("\n");
				const to = plain.findLastIndex((line) => line.includes(ANSWER)) + 1;
				const from = plain.findIndex((line) => line.trim() !== "");
				if (to === 0) throw new Error(`${driver.title} did not answer:\n${plain.join("\n")}`);
				writeFileSync(
					join(import.meta.dirname, `${driver.name}.svg`),
					renderScreen(lines, { columns: COLUMNS, from, to }),
				);
			} finally {
				terminal.close();
			}
		});
	}
}

/** Claude Code at a terminal asks an agent whose child is Codex. */
async function filmClaudeAskingCodex(model: ScriptedModel): Promise<void> {
	const codex = RUNTIME_ROWS.codex;
	const at = createTestHome();
	for (const folder of ["delegation", "contract"]) {
		cpSync(join(ROOT, "src", folder), join(at.project, "src", folder), { recursive: true });
	}
	const child = await startScriptedProvider(
		[
			{ latencyMs: 1500, calls: [{ name: "exec_command", args: { cmd: "rg -n filterTools src" } }] },
			{ latencyMs: 1500, calls: [codex.read(at, "src/delegation/filter-tools.ts")] },
			{
				latencyMs: 1500,
				...codex.handOver({
					status: "SUCCESS",
					result:
						"`filterTools` in `src/delegation/filter-tools.ts` decides it; `decide-child.ts` calls it before a child is planned.",
				}),
			},
		],
		codex.api,
	);
	try {
		const { env = {} } = codex.configure(at, child);
		const server = {
			command: process.execPath,
			args: [CLI, "mcp", "--cwd", at.project, "--runtime", "codex"],
			env: Object.fromEntries(
				Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
			),
		};
		await withHome(model, { steps, child: { delayMs: 0 } }, async (home) => {
			const place = { ...home, project: at.project, server };
			const terminal = await openClientTerminal(selectDriver("claude"), place, PROMPT, ROWS);
			try {
				const look = (): readonly string[] =>
					terminal.coloredScreen().replaceAll(at.project, "~/project").split("\n");
				const frames = await filmScreen(look, async () => {
					for (let waited = 0; waited < 90_000 && !terminal.screen().includes(ANSWER); waited += 250)
						await sleep(250);
					await sleep(1500);
					terminal.press("C-o");
					await sleep(1500);
				});
				if (child.asked() < 3) throw new Error(`Codex was not asked:\n${terminal.screen()}`);
				const file = join(import.meta.dirname, "cast-claude-asks-codex.svg");
				writeFileSync(file, renderCast(frames, { columns: COLUMNS, from: 0, to: ROWS }));
			} finally {
				terminal.close();
			}
		});
	} finally {
		await child.close();
		at.remove();
	}
}

const [only] = process.argv.slice(2);
const model = await startScriptedModel();
try {
	if (only !== "casts") await captureStills(model);
	if (only !== "stills") await filmClaudeAskingCodex(model);
} finally {
	await model.close();
}
