import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import type { RedactedText } from "../../../../../packages/redaction/redacted-text.ts";
import type { ResultChanges } from "../../../../../src/contract/result.ts";
import { askAboutChanges } from "../../../../../src/hosts/pi/parent/ask-about-changes.ts";

const NOTHING = { count: 0, names: [] };
const changes: ResultChanges = {
	...{ id: "1a2b3c4d", isolation: "layer", state: "pending", added: 1, removed: 0, refusedCalls: 0 },
	files: [{ path: "a.txt", status: "added", added: 1, removed: 0, isApplied: false }],
	overlaps: [{ id: "5e6f7a8b", agent: "fixer", state: "pending", files: ["a.txt"] }],
	patch: "diff --git a/a.txt b/a.txt\n+++ b/a.txt\n+new\n" as RedactedText,
	...{ commands: [], ignored: NOTHING, repositories: NOTHING },
};

interface Panel {
	render(width: number): string[];
	handleInput(data: string): void;
}

/** A terminal in which one panel after the other gets its keys. */
async function ask(keys: readonly (readonly string[])[]) {
	const screens: string[] = [];
	const left = [...keys];
	const ui = {
		custom: (create: (...given: unknown[]) => Panel) =>
			new Promise((resolve) => {
				const tui = { requestRender: () => undefined, terminal: { rows: 24 } };
				const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
				const panel = create(tui, theme, {}, resolve);
				screens.push(panel.render(80).join("\n"));
				for (const key of left.shift() ?? ["\u001b"]) panel.handleInput(key);
			}),
	};
	const library = { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi };
	const answer = await askAboutChanges(changes, {
		agent: "fixer",
		...({ context: { mode: "tui", ui }, library } as unknown as Pick<
			Parameters<typeof askAboutChanges>[1],
			"context" | "library"
		>),
	});
	return { answer, screens };
}

const DOWN = "\u001b[B";
const ENTER = "\r";

it("keeps them unless the person says otherwise; no letter chooses", async () => {
	const { answer, screens } = await ask([["\u001b"]]);
	expect(answer).toBe("keep");
	expect(screens[0]).toContain("Apply what fixer changed?");
	expect(screens[0]).toContain("a.txt was also changed by fixer (5e6f7a8b, not applied).");
	expect((await ask([["j", "j", ENTER]])).answer).toBe("keep");
	expect((await ask([[DOWN, DOWN, ENTER]])).answer).toBe("apply");
	expect((await ask([[DOWN, DOWN, DOWN, ENTER]])).answer).toBe("drop");
});

it("shows the diff and asks again", async () => {
	const { answer, screens } = await ask([[DOWN, ENTER], ["q"], [DOWN, DOWN, ENTER]]);
	expect(answer).toBe("apply");
	expect(screens[1]).toContain("+new");
	expect(screens).toHaveLength(3);
});
