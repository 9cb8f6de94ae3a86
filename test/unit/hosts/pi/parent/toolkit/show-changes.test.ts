import { mkdirSync } from "node:fs";
import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeRecord } from "../../../../../../src/changes/change-record.ts";
import { stateDirectory } from "../../../../../../src/changes/changes-directory.ts";
import { readSurroundings } from "../../../../../../src/config/read-surroundings.ts";
import { changeOne } from "../../../../../../src/hosts/pi/parent/toolkit/run-changes.ts";
import { showChanges } from "../../../../../../src/hosts/pi/parent/toolkit/show-changes.ts";
import { createTestHome, type TestHome } from "../../../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
	for (const [id, applied] of [
		["abc12345", []],
		["abd12345", ["a.txt"]],
	] as const) {
		const state = stateDirectory(home.agentDirectory, id);
		const time = "2026-11-17T00:00:00.000Z";
		const nothing = { count: 0, names: [] };
		mkdirSync(state, { recursive: true });
		writeRecord(state, {
			...{ version: 1, id, state: applied.length > 0 ? "applied" : "pending", project: home.project },
			...{ isolation: "layer", origin: { agent: "fixer", task: "x", runId: "12345678" } },
			...{ createdAt: time, changedAt: time, base: "", borrowed: [], entries: [], applied },
			...{ isThrownAway: false, wasInterrupted: false, isLayerGone: true },
			...{ ignored: nothing, repositories: nothing },
			files: [{ path: "a.txt", status: "added", added: 1, removed: 0 }],
		});
	}
});
afterEach(() => home.remove());
const surroundings = () => ({ ...readSurroundings(home.env), agentDirectory: home.agentDirectory });

/** What the panels show that are closed one after the other. */
async function open(id: string): Promise<readonly string[]> {
	const screens: string[] = [];
	const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
	const tui = { requestRender: () => undefined, terminal: { rows: 40 } };
	const custom = (
		create: (...given: unknown[]) => { render(width: number): string[]; handleInput(data: string): void },
	) =>
		new Promise((resolve) => {
			const panel = create(tui, theme, {}, resolve);
			screens.push(panel.render(120).join("\n"));
			panel.handleInput("q");
		});
	await showChanges(
		{
			library: { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi },
			context: { ui: { custom } },
			commands: { surroundings: surroundings(), cwd: home.project },
		} as unknown as Parameters<typeof showChanges>[0],
		id,
	);
	return screens;
}

it("opens a change by the beginning of its id, and guesses none", async () => {
	expect(await open("ABD")).toEqual([
		expect.stringContaining("fixer abd12345"),
		expect.stringMatching(/→.*fixer.*\n.*abd12345/),
	]);
	expect(await open("ab")).toEqual([
		expect.stringMatching(/ab is the beginning of 2 changes: .* Write more of it\./),
	]);
	expect(await open("abe")).toEqual([expect.stringContaining("There is no change abe.")]);
});

it("says when what is dropped can no longer be undone", async () => {
	expect(await changeOne("drop", { id: "abc12345" }, surroundings())).toEqual({
		text: "Dropped abc12345 of fixer: 1 file +1 −0.",
		isError: false,
	});
	expect((await changeOne("drop", { id: "abd12345" }, surroundings())).text).toBe(
		`Dropped abd12345 of fixer: 1 file +1 −0. What was applied (1 file) stays in ${home.project}, and deputize can no longer undo it.`,
	);
});
