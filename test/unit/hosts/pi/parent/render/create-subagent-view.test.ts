import { stripControlSequences } from "@deputize/ground";
import { Markdown, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../../../src/contract/usage.ts";
import type { PiLibrary } from "../../../../../../src/hosts/pi/parent/pi-library.ts";
import { createSubagentView } from "../../../../../../src/hosts/pi/parent/render/create-subagent-view.ts";

const plain = (text: string): string => text;
const library = {
	...{ Markdown, truncateToWidth, visibleWidth, wrapTextWithAnsi },
	keyHint: (_key: string, text: string) => `ctrl+o ${text}`,
	getMarkdownTheme: () => new Proxy({}, { get: () => plain }),
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

interface Live {
	readonly text: string;
	readonly activity: string;
	readonly items?: readonly object[];
	readonly expanded?: boolean;
}

/** A row of a run that goes on until it is finished. */
function openLive(view: ReturnType<typeof createSubagentView>, first: Live) {
	const shared = { state: {}, cwd: "/", executionStarted: true, invalidate: () => {} };
	let context = { ...shared, isPartial: true, isError: false, expanded: first.expanded === true };
	let result: object = {};
	const update = ({ text, activity, items = [] }: Live): void => {
		const streaming = { displayItems: items, usage: NO_USAGE, turnCount: 1, activity };
		result = { content: [{ type: "text", text }], details: { results: [], streaming } };
	};
	update(first);
	view.renderCall({ agent: "a", task: "t" } as never, theme, context as never);
	return {
		update,
		finish(output: string) {
			const single = { agent: "a", task: "t", exitCode: 0, usage: NO_USAGE, output, durationMs: 5 };
			result = { content: [], details: { mode: "single", results: [single] } };
			context = { ...context, isPartial: false };
			view.renderResult(result as never, context, theme, context as never);
		},
		draw(): readonly string[] {
			const call = view.renderCall({ agent: "a", task: "t" } as never, theme, context as never);
			const body = view.renderResult(result as never, context, theme, context as never);
			return [...call.render(60), ...body.render(60)];
		},
	};
}

const RUN = {
	id: "1",
	agent: "explorer",
	task: "Look",
	startedAt: 0,
	takesMessages: false,
	canDetach: false,
};

describe("the row of a delegation", () => {
	it("is marked as waiting at the first drawing that knows of it", () => {
		const row = openRow({ isError: false });
		const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 0, waiting: true };
		const details = { mode: "single", results: [], streaming };
		expect(row({ content: [], details }, true)).toBe(" ○ explorer  Look\n   waiting for a free slot");
	});

	it("has less room where all rows together would not fit, and keeps it", () => {
		let screenLines = 24;
		const view = createSubagentView(library, { home: "/", screenLines: () => screenLines, now: () => 0 });
		const open = (text: string, activity: string) => {
			const row = openLive(view, { text, activity });
			return () => row.draw().slice(1);
		};
		const alone = open("one\ntwo", "writing");
		expect(alone()).toHaveLength(3);
		const others = ["one\ntwo", "", "", "four"].map((text) => open(text, text ? "writing" : "thinking"));
		expect(others[0]?.()).toEqual(["   writing · turn 2 · 0 s"]);
		expect(others[1]?.()).toEqual(["   thinking · turn 2 · 0 s"]);
		screenLines = 100;
		expect(others[0]?.()).toHaveLength(1);
		view.stop();
	});

	it("says its state in the line of the call where that is all there is room for, then its answer", () => {
		const view = createSubagentView(library, { home: "/", screenLines: () => 18, now: () => 0 });
		const rows = Array.from({ length: 5 }, () => openLive(view, { text: "word", activity: "thinking" }));
		expect(rows.flatMap((row) => row.draw())).toEqual(Array(5).fill(" ● a  t  thinking · 0 s"));
		rows[2]?.finish("Found it.");
		expect(rows[2]?.draw()).toEqual([" ✓ a  t  Found it."]);
		for (const index of [0, 1, 3, 4]) rows[index]?.finish("Found it.");
		expect(rows.map((row) => row.draw().length)).toEqual([3, 3, 3, 3, 3]);
		view.stop();
	});

	it("that has scrolled out stays as it was until all have ended", () => {
		const view = createSubagentView(library, { home: "/", screenLines: () => 18, now: () => 0 });
		const rows = Array.from({ length: 7 }, () => openLive(view, { text: "", activity: "thinking" }));
		const before = rows.map((row) => row.draw());
		for (const row of rows) row.update({ text: "", activity: "writing" });
		expect(rows[0]?.draw()).toEqual(before[0]);
		expect(rows[6]?.draw()).toEqual([" ● a  t  writing · 0 s"]);
		rows[0]?.finish("Found it.");
		expect(rows[0]?.draw()).toEqual(before[0]);
		for (const row of rows.slice(1)) row.finish("Found it.");
		expect(rows[0]?.draw()[0]).toBe(" ✓ a  t");
		expect(rows[0]?.draw()).toHaveLength(3);
		view.stop();
	});

	it("keeps the beginning of its task in a crowd, also when it failed", () => {
		const view = createSubagentView(library, { home: "/", screenLines: () => 18, now: () => 0 });
		const context = {
			state: {},
			cwd: "/",
			executionStarted: true,
			isError: true,
			expanded: false,
			invalidate: () => {},
		};
		const task = "Find where the retry of a failed run is decided, and who counts the attempts";
		const others = Array.from({ length: 4 }, () => openLive(view, { text: "", activity: "thinking" }));
		const draw = (isPartial: boolean, details: object): string => {
			const given = { ...context, isPartial } as never;
			const call = view.renderCall({ agent: "explorer", task } as never, theme, given);
			const result = { content: [{ type: "text", text: "" }], details };
			view.renderResult(result as never, { expanded: false, isPartial }, theme, given);
			return stripControlSequences(call.render(60).join("\n"));
		};
		const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 1, activity: "writing" };
		expect(draw(true, { results: [], streaming })).toMatch(
			/^ ● explorer {2}Find where the retry .*… {2}writing · 0 s$/,
		);
		const error = {
			code: "SUBAGENT_FAILED",
			message: "The model provider failed: no such model in this account",
		};
		expect(draw(false, { mode: "single", results: [], error })).toMatch(
			/^ ✗ explorer {2}Find where the re.*… {2}The model provider failed.*…$/,
		);
		expect(others).toHaveLength(4);
		view.stop();
	});

	it("of a call that an earlier pi left behind is neither waiting nor running", () => {
		const view = createSubagentView(library, { home: "/", screenLines: () => 40, isWorking: () => false });
		const context = { state: {}, cwd: "/", executionStarted: false, isPartial: true, expanded: false };
		const call = view.renderCall({ agent: "explorer", task: "Look" } as never, theme, context as never);
		expect(call.render(80)).toEqual([
			" ! explorer  Look",
			"   Ended with its pi: /toolkit watch shows what it had written.",
		]);
	});

	it("that was let go is running until it has ended, and changes only where it can be seen", () => {
		let end: object | undefined;
		let isOnScreen = false;
		const view = createSubagentView(library, {
			home: "/",
			screenLines: () => 40,
			findRun: () => ({ ...RUN, ...(end ? { result: end } : {}) }) as never,
			isOnScreen: () => isOnScreen,
		});
		const context = { state: {}, cwd: "/", isPartial: false, isError: false, expanded: false } as never;
		const call = view.renderCall({ agent: "explorer", task: "Look" } as never, theme, context);
		const details = { mode: "single", runId: "r1", results: [], detached: true };
		const body = view.renderResult(
			{ content: [], details } as never,
			{ expanded: false, isPartial: false },
			theme,
			context,
		);
		const draw = (): string => [...call.render(80), ...body.render(80)].join("\n");
		expect(draw()).toMatch(/^ ● explorer {2}Look\n {3}In the background: /);
		end = { isError: true, details: { results: [], error: { message: "It failed." } } };
		expect(draw()).toMatch(/^ ● explorer/);
		isOnScreen = true;
		expect(draw()).toBe(" ✗ explorer  Look\n   It failed.");
	});

	it("expanded while it runs shows the steps so far", () => {
		const view = createSubagentView(library, { home: "/", screenLines: () => 40, now: () => 0 });
		const items = [{ type: "toolCall", name: "grep", args: { pattern: "x" }, durationMs: 7 }];
		const row = openLive(view, { text: "", activity: "thinking", items, expanded: true });
		expect(row.draw()).toEqual([" ● a", "   t", "   ▸ grep x · 7 ms", "   thinking · turn 2 · 0 s"]);
		view.stop();
	});

	it("shows a result that is not ours as it is, and nothing a terminal would act on", () => {
		const row = openRow({ isError: true });
		const content = [{ type: "text", text: "not today\u001b[2J" }];
		expect(row({ content, details: {} }, false)).toBe(" ✗ explorer  Look\n   not today");
		expect(row({ content, details: undefined }, false)).toBe(" ✗ explorer  Look\n   not today");
	});
});

describe("the address of a run on an open page", () => {
	const address = "http://127.0.0.1:4100/view-ab/#/run/r1";
	const draw = (expanded: boolean, isPartial: boolean, found: string | undefined): string => {
		const view = createSubagentView({ ...library, getMarkdownTheme: () => ({}) } as unknown as PiLibrary, {
			home: "/",
			screenLines: () => 40,
			now: () => 0,
			findAddress: () => found,
		});
		const context = {
			state: {},
			cwd: "/",
			expanded,
			isPartial,
			executionStarted: true,
			invalidate: () => {},
		};
		const single = { agent: "a", task: "t", exitCode: 0, usage: NO_USAGE, output: "", durationMs: 5 };
		const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 1, activity: "thinking" };
		const details = isPartial ? { runId: "r1", results: [], streaming } : { runId: "r1", results: [single] };
		const result = { content: [{ type: "text", text: "" }], details };
		const body = view.renderResult(result as never, { expanded, isPartial }, theme, context as never);
		const drawn = body.render(80).join("\n");
		view.stop();
		return drawn;
	};

	it.each([true, false])("is named in full, while it runs: %s", (isPartial) => {
		expect(draw(true, isPartial, address)).toContain(`watch it: ${address}`);
	});

	it("takes no line of a short card, and none without a page", () => {
		expect(draw(false, true, address)).not.toContain("watch it");
		expect(draw(false, false, address)).not.toContain("watch it");
		expect(draw(true, false, undefined)).not.toContain("watch it");
	});
});
