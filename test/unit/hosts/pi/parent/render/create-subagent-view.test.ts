import { Markdown, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../../../src/contract/usage.ts";
import type { PiLibrary } from "../../../../../../src/hosts/pi/parent/pi-library.ts";
import { createSubagentView } from "../../../../../../src/hosts/pi/parent/render/create-subagent-view.ts";

const plain = (text: string): string => text;
const library = {
	...{ Markdown, truncateToWidth, visibleWidth, wrapTextWithAnsi },
	keyHint: (_key: string, text: string) => `ctrl+o ${text}`,
} as unknown as PiLibrary;
const theme = { fg: (_color: string, text: string) => text, bold: plain } as unknown as Parameters<
	ReturnType<typeof createSubagentView>["renderCall"]
>[1];

/** One row, drawn as pi does it: the call, then what there is of the result, then both on the screen. */
function openRow(context: object) {
	const view = createSubagentView(library, { home: "/home/me", screenLines: () => 40, now: () => 0 });
	const whole = {
		state: {},
		cwd: "/code",
		expanded: false,
		executionStarted: true,
		invalidate: () => {},
		...context,
	};
	return (result: object, isPartial: boolean): string => {
		const given = { ...whole, isPartial } as never;
		const call = view.renderCall({ agent: "explorer", task: "Look" } as never, theme, given);
		const body = view.renderResult(result as never, { expanded: false, isPartial }, theme, given);
		const drawn = [...call.render(60), ...body.render(60)].join("\n");
		view.stop();
		return drawn;
	};
}

describe("the row of a delegation", () => {
	it("is marked as waiting at the first drawing that knows of it", () => {
		const row = openRow({ isError: false });
		const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 0, waiting: true };
		const details = { mode: "single", results: [], streaming };
		expect(row({ content: [], details }, true)).toBe(" ○ explorer  Look\n   waiting for a free slot");
	});

	it("is as short as its result where all rows together would not fit, and stays so", () => {
		let screenLines = 24;
		const view = createSubagentView(library, { home: "/", screenLines: () => screenLines, now: () => 0 });
		const open = (text: string) => {
			const context = { state: {}, cwd: "/", isPartial: true, executionStarted: true, invalidate: () => {} };
			view.renderCall({ agent: "a", task: "t" } as never, theme, context as never);
			const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 1 };
			const result = { content: [{ type: "text", text }], details: { results: [], streaming } };
			const options = { expanded: false, isPartial: true };
			return () => view.renderResult(result as never, options, theme, context as never).render(60);
		};
		const alone = open("one\ntwo");
		expect(alone()).toHaveLength(5);
		const [second, third] = [open("one\ntwo"), open("")];
		expect(second()).toEqual(["   turn 2 · 0 s", "   │ two"]);
		expect(third()).toEqual(["   turn 2 · 0 s", "   ▸ thinking"]);
		screenLines = 100;
		expect(second()).toHaveLength(2);
		view.stop();
	});

	it("shows a result that is not ours as it is, and nothing a terminal would act on", () => {
		const row = openRow({ isError: true });
		const content = [{ type: "text", text: "not today\u001b[2J" }];
		expect(row({ content, details: {} }, false)).toBe(" ✗ explorer  Look\n   not today");
		expect(row({ content, details: undefined }, false)).toBe(" ✗ explorer  Look\n   not today");
	});
});
