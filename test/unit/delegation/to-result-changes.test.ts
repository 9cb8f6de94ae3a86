import { describe, expect, it } from "vitest";
import type { ChangeSet } from "../../../src/contract/changes.ts";
import type { ChildEvent } from "../../../src/contract/event.ts";
import { collectOutput, NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import { createRedact } from "../../../src/delegation/redact.ts";
import { noteChanges, toResultChanges } from "../../../src/delegation/to-result-changes.ts";

const SECRET = "a-secret-value-of-mine-1234567890";
const redact = createRedact({
	env: { MY_API_KEY: SECRET },
	home: "/h",
	agentDirectory: "/h/.pi/agent",
	depth: 0,
});
const NOTHING = { count: 0, names: [] };
const CHANGES = {
	...{ id: "1a2b3c4d", state: "pending", project: "/p", isolation: "layer" },
	files: [
		{ path: "src/a.ts", status: "modified", added: 12, removed: 3, isApplied: false },
		{ path: "b.png", status: "added", isApplied: false },
		{ path: "new.ts", from: "old.ts", status: "renamed", added: 0, removed: 0, isApplied: false },
	],
	...{ added: 12, removed: 3, ignored: { count: 2, names: ["dist/x"] }, repositories: NOTHING },
} as unknown as ChangeSet;

const end = (id: string, name: string, facts: object): ChildEvent[] => [
	{ type: "tool-start", id, name, args: { command: `run ${id} ${SECRET}`, path: "a" } },
	{ type: "tool-end", id, name, isError: false, ...facts },
];
const collect = (events: readonly ChildEvent[]) =>
	events.reduce((state, event) => collectOutput(state, event), NOTHING_COLLECTED);

describe("what a child in a layer did", () => {
	it("has its commands with their exit codes, and the calls that were refused", () => {
		const collected = collect([
			...end("1", "bash", { exitCode: 0 }),
			...end("2", "bash", { exitCode: 7, isError: true }),
			...end("3", "bash", { exitCode: null, isError: true }),
			...end("4", "bash", { isError: true }),
			...end("5", "write", { isError: true, code: "FILE_CLOSED" }),
			...end("6", "edit", { isError: true }),
			...end("7", "read", { isError: true }),
		]);
		expect(collected.commands.map(({ exitCode }) => exitCode)).toEqual([0, 7, null]);
		expect(collected.refusedCalls).toBe(3);
	});

	it("is redacted, and told with files, lines and what can be done", () => {
		const collected = collect([
			...end("1", "bash", { exitCode: 1, isError: true }),
			...end("2", "edit", { isError: true }),
		]);
		const patch = { text: `+const key = "${SECRET}";\n`, isCut: true };
		const changes = toResultChanges({ isolation: "layer", changes: CHANGES, patch }, collected, redact);
		expect(JSON.stringify(changes)).not.toContain(SECRET);
		expect(changes).toMatchObject({ id: "1a2b3c4d", state: "pending", isPatchCut: true, refusedCalls: 1 });
		const [note = ""] = noteChanges(changes);
		expect(note).toContain("Changes 1a2b3c4d: 3 files +12 −3, not applied yet");
		expect(note).toContain("src/a.ts +12 −3, b.png (not text) (new), old.ts → new.ts +0 −0");
		expect(note).toContain("ignored by Git, and never applied: dist/x and 1 more");
		expect(note).toContain("→ 1");
		expect(note).toContain("1 call of tools that change something was refused.");
		expect(note).toContain("deputize changes show 1a2b3c4d, apply 1a2b3c4d, drop 1a2b3c4d");
		expect(noteChanges({ ...changes, state: "applied" })[0]).toContain("deputize changes undo 1a2b3c4d");
	});

	it("is marked when nothing changed, and not when that is not known", () => {
		const none = toResultChanges({ isolation: "copy", changes: undefined }, NOTHING_COLLECTED, redact);
		expect(noteChanges(none)).toEqual(["No file was changed, whatever the answer says."]);
		const unknown = { isolation: "layer" as const, changes: undefined, problem: "No space." };
		expect(noteChanges(toResultChanges(unknown, NOTHING_COLLECTED, redact))).toEqual([
			"What it changed is not known.\nNo space.",
		]);
	});
});
