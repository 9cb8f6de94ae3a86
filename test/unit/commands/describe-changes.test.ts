import { expect, it } from "vitest";
import { describeChanges, describeConflict } from "../../../src/commands/describe-changes.ts";
import { renderReport } from "../../../src/commands/render-report.ts";
import type { ChangeSet } from "../../../src/contract/changes.ts";

const CHANGE: ChangeSet = {
	...{
		id: "3f2a91c0",
		state: "pending",
		project: "/p",
		isolation: "layer",
		wasInterrupted: true,
		bytes: 1_048_576,
	},
	origin: { agent: "fixer", task: "Make retry\nwait", runId: "12345678" },
	...{ createdAt: "2026-11-17T04:59:00.000Z", changedAt: "2026-11-17T04:59:00.000Z", added: 12, removed: 3 },
	files: [
		{ path: "src/http.ts", status: "modified", added: 12, removed: 3, isApplied: true },
		{ path: "b", from: "a", status: "renamed", added: 0, removed: 0, isApplied: false },
		{ path: "image.png", status: "added", isApplied: false },
	],
	ignored: { count: 2, names: [".env"] },
	repositories: { count: 0, names: [] },
};

it("a list of changes says what there is and what to do", () => {
	const lines = renderReport(describeChanges([CHANGE], ["look at this"], "here"), { width: 200 });
	expect(lines).toEqual([
		"1 change here, 1 not applied",
		"",
		"Notices",
		"  ! look at this",
		"",
		"3f2a91c0 fixer: Make retry wait (2026-11-17 04:59)",
		"  · 3 files +12 −3 · 1 of 3 applied · in a layer · 1 MiB · /p",
		"    → deputize changes show 3f2a91c0; apply 3f2a91c0; drop 3f2a91c0",
		"  ! Its agent was at work when the process that watched over it ended.",
		"  M src/http.ts +12 −3 (applied)",
		"  R a → b +0 −0",
		"  A image.png not text",
		"  ! 2 paths ignored by Git: changed in the layer only, and never applied: .env, and 1 more",
	]);
	expect(describeChanges([], [], "here").title).toBe("No changes here");
});

it.each([
	[undefined, "src/a: both changed the same lines"],
	[[{ from: 3, to: 3 }], "src/a, line 3: both changed the same lines"],
	[[{ from: 3, to: 5 }], "src/a, lines 3 to 5: both changed the same lines"],
	[
		[
			{ from: 3, to: 3 },
			{ from: 8, to: 9 },
		],
		"src/a, lines 3, 8 to 9: both changed the same lines",
	],
])("a conflict is told with its lines", (lines, text) => {
	const conflict = { path: "src/a", reason: "both changed the same lines" };
	expect(describeConflict(lines === undefined ? conflict : { ...conflict, lines })).toBe(text);
});
