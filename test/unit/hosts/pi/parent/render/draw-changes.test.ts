import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import type { RedactedText } from "../../../../../../packages/redaction/redacted-text.ts";
import type { ChangedFile } from "../../../../../../src/contract/changes.ts";
import type { ResultChanges } from "../../../../../../src/contract/result.ts";
import {
	drawChanges,
	drawDiff,
	drawSoFar,
} from "../../../../../../src/hosts/pi/parent/render/draw-changes.ts";
import { drawRunning } from "../../../../../../src/hosts/pi/parent/render/draw-running.ts";
import { createPen, type Pen } from "../../../../../../src/hosts/pi/parent/render/pen.ts";

const theme: Pen["theme"] = {
	fg: (color, text) => (color.startsWith("toolDiff") ? `<${color.slice(8)}:${text}>` : text),
	bold: (text) => text,
};
const pen = (width: number): Pen =>
	createPen({ truncateToWidth, visibleWidth, wrapTextWithAnsi }, theme, width);
const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
	...{ path, status: "modified", added: 12, removed: 3, isApplied: false },
	...more,
});
const NOTHING = { count: 0, names: [] };
const changes: ResultChanges = {
	...{ id: "1a2b3c4d", isolation: "layer", state: "pending", added: 52, removed: 3, refusedCalls: 0 },
	files: [file("src/http.ts"), file("test/http.test.ts", { status: "added", added: 40, removed: 0 })],
	commands: [{ command: "npm test" as RedactedText, exitCode: 0 }],
	...{ ignored: NOTHING, repositories: NOTHING },
	patch:
		"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n" as RedactedText,
};

it("says where a child at work writes, and what it has changed so far", () => {
	const layer = { isolation: "layer", files: changes.files, more: 2 } as const;
	expect(drawSoFar({ ...layer, files: [], more: 0 }, pen(80))).toEqual([
		"   in a layer · nothing changed yet",
	]);
	expect(drawSoFar(layer, pen(200))).toEqual([
		"   in a layer · src/http.ts<Added: +12><Removed: −3>, test/http.test.ts<Added: +40> new, and 2 more",
	]);
	const streaming = {
		...{ displayItems: [], turnCount: 1, layer },
		usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, turns: 1 },
	};
	const run = { streaming, text: "words", startedAt: 0, now: 1000 };
	expect(drawRunning(run, pen(80)).join("\n")).toContain("in a layer · src/http.ts");
	expect(drawRunning(run, pen(80), 2)[1], "in a crowd it is what is told").toContain("in a layer");
});

it("says below a folded card what was changed, what became of it, and where to decide", () => {
	const folded = (more: Partial<ResultChanges> = {}, width = 200): readonly string[] =>
		drawChanges({ mode: "single", results: [], changes: { ...changes, ...more } }, pen(width));
	expect(folded()).toEqual([
		"   src/http.ts<Added: +12><Removed: −3>, test/http.test.ts<Added: +40> new",
		"   2 files +52 −3 · not applied · /toolkit changes 1a2b3c4d · npm test → 0",
	]);
	expect(folded({ state: "dropped" })[1]).toContain("dropped, the project is as it was");
	expect(folded({ problem: "They were not applied: a conflict." as RedactedText }).at(-1)).toContain(
		"conflict",
	);
	for (const line of folded({}, 60)) expect(visibleWidth(line)).toBeLessThanOrEqual(60);
	expect(drawChanges({ mode: "single", results: [] }, pen(80))).toEqual([]);
});

it("marks a claim of a change where there is none", () => {
	const { id: _id, ...none } = changes;
	const told = drawChanges(
		{ mode: "single", results: [], changes: { ...none, state: "none", files: [] } },
		pen(80),
	);
	expect(told).toEqual(["   No file was changed, whatever the answer says."]);
});

it("draws a diff in the colors of the theme, without what only Git needs, and says the overlap first", () => {
	const overlaps = [{ id: "5e6f7a8b", agent: "fixer", state: "open", files: ["src/http.ts"] }] as const;
	const drawn = drawDiff({ ...changes, overlaps }, pen(120)).join("\n");
	expect(drawn).toContain("<Removed:-old>\n   <Added:+new>\n   <Context: same>");
	expect(drawn).not.toContain("index 1..2");
	expect(drawn).toContain("src/http.ts was also changed by fixer (5e6f7a8b, still at work).");
});
