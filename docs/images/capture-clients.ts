// Makes claude.svg and codex.svg from real screens: the clients of test/peers/agents at a terminal, the compiled package as their MCP
// server, a scripted model for the client and the offline navigator as the child. Run: node docs/images/capture-clients.ts
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withHome } from "../../test/clients/client-home.ts";
import { CLIENT_DRIVERS } from "../../test/clients/client-table.ts";
import { COLUMNS, openClientTerminal } from "../../test/clients/client-terminal.ts";
import { startScriptedModel } from "../../test/clients/scripted-model.ts";
import { renderScreen } from "./render-screen.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROMPT = "Find where the tool list of a child is decided.";
const TASK = "Where is the tool list of a child decided? Name the function, with file:line.";
const ANSWER = "A child's tools are decided in src/delegation/filter-tools.ts.";
const steps = [{ calls: [{ agent: "explorer", task: TASK }] }, { text: ANSWER }];

const model = await startScriptedModel();
try {
	for (const driver of CLIENT_DRIVERS.filter(({ name }) => name === "claude" || name === "codex")) {
		await withHome(model, { steps, child: { delayMs: 0 }, serverArgs: ["--offline"] }, async (home) => {
			for (const folder of ["delegation", "contract", "agents"]) {
				cpSync(join(ROOT, "src", folder), join(home.project, "src", folder), { recursive: true });
			}
			const terminal = await openClientTerminal(driver, home, PROMPT);
			try {
				for (let waited = 0; waited < 60_000 && !terminal.screen().includes(ANSWER); waited += 250) await sleep(250);
				// Claude Code folds what a tool answered; this key unfolds it.
				if (driver.name === "claude") terminal.press("C-o");
				await sleep(2000);
				const lines = terminal.coloredScreen().replaceAll(home.project, "~/project").split("\n");
				const plain = terminal.screen().split("\n");
				const to = plain.findLastIndex((line) => line.includes(ANSWER)) + 1;
				const from = plain.findIndex((line) => line.trim() !== "");
				if (to === 0) throw new Error(`${driver.title} did not answer:\n${plain.join("\n")}`);
				writeFileSync(join(import.meta.dirname, `${driver.name}.svg`), renderScreen(lines, { columns: COLUMNS, from, to }));
			} finally {
				terminal.close();
			}
		});
	}
} finally {
	await model.close();
}
