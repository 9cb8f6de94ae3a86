import {
	Markdown,
	type MarkdownTheme,
	truncateToWidth,
	visibleWidth,
	wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../../../../packages/redaction/redacted-text.ts";
import type { Report } from "../../../../../../src/commands/report.ts";
import type { DelegationDetails, StreamingDisplay } from "../../../../../../src/contract/result.ts";
import { drawCall } from "../../../../../../src/hosts/pi/parent/render/draw-call.ts";
import { drawAround, drawCollapsed } from "../../../../../../src/hosts/pi/parent/render/draw-result.ts";
import {
	describeRunning,
	drawRunning,
	drawRunningExpanded,
} from "../../../../../../src/hosts/pi/parent/render/draw-running.ts";
import { formatArguments } from "../../../../../../src/hosts/pi/parent/render/draw-step.ts";
import { createPen, type Pen } from "../../../../../../src/hosts/pi/parent/render/pen.ts";
import { shortenPaths } from "../../../../../../src/hosts/pi/parent/render/shorten-paths.ts";
import { drawReport } from "../../../../../../src/hosts/pi/parent/toolkit/draw-report.ts";

const theme: Pen["theme"] = {
	fg: (_color, text) => `\u001b[38;5;1m${text}\u001b[39m`,
	bold: (text) => `\u001b[1m${text}\u001b[22m`,
};
const pen = (width: number): Pen =>
	createPen({ truncateToWidth, visibleWidth, wrapTextWithAnsi }, theme, width);
const plain = (lines: readonly string[]): string =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken away here
	lines.map((line) => line.replace(/\u001b\[[0-9;]*m/g, "")).join("\n");

const usage = { input: 12_000, output: 2200, cacheRead: 0, cacheWrite: 0, cost: 0.0213, turns: 2 };

function createDetails(text: string): DelegationDetails {
	const redacted = text as RedactedText;
	return {
		mode: "single",
		runId: "abcd1234",
		sessionId: "284e41de-64da-46d9-8262-bbd1b4de1266",
		results: [
			{
				agent: "explorer",
				task: redacted,
				exitCode: 0,
				usage,
				output: redacted,
				sessionFile: `/home/${text}/x.jsonl`,
				displayItems: [
					{ type: "toolCall", name: "grep", args: { pattern: text, path: "." } },
					{ type: "text", text: redacted },
				],
				confinement: "tools-only",
				agentSource: "builtin",
				model: "acme/model-1",
				thinking: "high",
				toolCalls: 2,
				durationMs: 14_200,
			},
		],
		error: { code: "SUBAGENT_FAILED", message: redacted },
	};
}

const hostile = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 300 }),
	fc.constantFrom(
		"日本語".repeat(60),
		"👩‍👩‍👧‍👦 family".repeat(20),
		"\u001b[31mred\u001b[2J",
		"a\tb\r\nc\u0007",
		"é".repeat(200),
	),
);

const PLAIN_MARKDOWN = new Proxy({}, { get: () => (text: string) => text }) as MarkdownTheme;
const quote = (text: string): Markdown => new Markdown(text, 0, 0, PLAIN_MARKDOWN);

describe("what is drawn", () => {
	it("is never wider than the terminal, whatever the texts are", () => {
		fc.assert(
			fc.property(hostile, fc.integer({ min: 10, max: 120 }), fc.boolean(), (text, width, expanded) => {
				const tool = { name: text, args: { text } };
				const items = [
					{ type: "text" as const, text: text as RedactedText },
					{ type: "toolCall" as const, ...tool, durationMs: 1234 },
				];
				const streaming = {
					...{ displayItems: items, usage, turnCount: 1, toolCalls: 3, model: text, thinking: text },
					currentTool: { ...tool, startedAt: 0 },
				};
				const run = { streaming, text, startedAt: 0, now: 61_234 };
				const details = createDetails(text);
				const around = drawAround(details, expanded, pen(width));
				const report: Report = {
					title: text,
					sections: [{ heading: text, lines: [{ status: "fail", text, remedy: text }, { text }] }],
					data: null,
				};
				const lines = [
					...drawCall({ agent: text, task: text, state: "running" }, expanded, pen(width)),
					...drawCall(
						{
							...{ agent: text, task: text, state: "running" },
							outcome: (columns) => describeRunning(run, columns, pen(width)),
						},
						expanded,
						pen(width),
					),
					...drawRunning(run, pen(width)),
					...drawRunning(run, pen(width), 2),
					...drawRunning({ ...run, streaming: undefined }, pen(width)),
					...drawRunning({ ...run, streaming: { ...streaming, waiting: true } }, pen(width)),
					...drawRunningExpanded(run, pen(width), 20),
					...drawCollapsed(details, expanded, { hint: "(ctrl+o to expand)", quote: quote(text) }, pen(width)),
					...around.above,
					...around.below,
					...drawReport(report, pen(width)),
				];
				for (const line of lines) {
					expect(visibleWidth(line)).toBeLessThanOrEqual(width);
					expect(line).not.toMatch(/[\n\r\t]/);
				}
			}),
			{ numRuns: 100 },
		);
	});

	it("of a running child never has more lines than there is room for", () => {
		fc.assert(
			fc.property(hostile, fc.integer({ min: 0, max: 9 }), (text, room) => {
				const items = [{ type: "toolCall" as const, name: "ls", args: {}, durationMs: 1 }];
				const streaming = { displayItems: items, usage, turnCount: 1 };
				const run = { streaming, text, startedAt: 0, now: 0 };
				expect(drawRunning(run, pen(40), room).length).toBeLessThanOrEqual(room);
				expect(drawRunningExpanded(run, pen(40), room).length).toBeLessThanOrEqual(Math.max(1, room));
			}),
		);
	});

	it("keeps sequences that would move the cursor out", () => {
		const lines = drawCall(
			{ agent: "a", task: "x\u001b[2Jy\u001b]0;title\u0007z", state: "pending" },
			false,
			pen(80),
		);
		expect(plain(lines)).toBe(" ○ a  xyz");
	});
});

const SEARCH = { type: "toolCall" as const, name: "grep", args: { pattern: "retry", path: "src" } };

describe("a running child", () => {
	const begun = { displayItems: [], usage, turnCount: 2, activity: "awaiting-model" as const };
	const drawn = (streaming: StreamingDisplay | undefined, text = "", width = 80, room?: number): string =>
		plain(drawRunning({ streaming, text, startedAt: 0, now: 12_900 }, pen(width), room));

	it("tells its state, turn, time, calls, tokens, cost and model, the tool and the last lines of text", () => {
		const currentTool = { name: "grep", args: SEARCH.args, startedAt: 10_000 };
		const streaming = { ...begun, toolCalls: 3, model: "acme/model-1", thinking: "high", currentTool };
		expect(drawn(streaming, "one\ntwo\nthree\nfour", 100)).toBe(
			"   running grep · turn 2 · 12 s · 3 calls · 14.2k tokens · $0.021 · model-1 high\n   ▸ grep retry src · 2.0 s\n   │ two\n   │ three\n   │ four",
		);
	});

	it("leaves out in a narrow terminal what matters least, and nothing else", () => {
		const streaming = { ...begun, toolCalls: 3, model: "acme/model-1", thinking: "high" };
		expect(drawn(streaming, "", 60)).toBe("   waiting for the model · turn 3 · 12 s · 3 calls · $0.021");
		expect(drawn(streaming, "", 40)).toBe("   waiting for the model · 12 s · $0.021");
	});

	it.each([
		["starting", undefined, "starting · 12 s"],
		["asking", begun, "waiting for the model · turn 3 · 12 s"],
		["thinking", { ...begun, activity: "thinking" as const }, "thinking · turn 3"],
		["writing", { ...begun, activity: "writing" as const }, "writing · turn 3"],
		["backing off", { ...begun, activity: "retrying" as const, retryAt: 16_000 }, "retry in 4 s · turn 3"],
		["backing off for who knows how long", { ...begun, activity: "retrying" as const }, "waiting to retry"],
		["waiting", { ...begun, waiting: true }, "   waiting for a free slot"],
	])("that is %s says so", (_name, streaming, expected) => {
		expect(drawn(streaming)).toContain(expected);
	});

	it("keeps its last call in sight with the time it took", () => {
		const items = [SEARCH, { ...SEARCH, name: "read", args: { path: "a.ts" }, durationMs: 12 }];
		expect(drawn({ ...begun, displayItems: items })).toContain("\n   ▸ read a.ts · 12 ms");
		expect(drawn({ ...begun, displayItems: items }, "", 80, 2)).toContain("\n   ▸ read a.ts · 12 ms");
		const failed = [{ ...SEARCH, isError: true as const, durationMs: 3 }];
		expect(drawn({ ...begun, displayItems: failed })).toContain("✗ grep failed retry src · 3 ms");
	});

	it("has no empty lines: as many as there is to say", () => {
		expect(drawn(begun).split("\n")).toHaveLength(1);
		expect(drawn(begun, "word").split("\n")).toHaveLength(2);
	});

	it("expanded tells every step so far, and its state last", () => {
		const text = { type: "text" as const, text: "I look." as RedactedText };
		const streaming = { ...begun, displayItems: [{ ...SEARCH, durationMs: 5 }, text] };
		const run = { streaming, text: "", startedAt: 0, now: 1000 };
		expect(plain(drawRunningExpanded(run, pen(80), 20))).toMatch(
			/^ {3}▸ grep retry src · 5 ms\n {3}│ I look\.\n {3}waiting for the model · turn 3 · 1 s/,
		);
		expect(plain(drawRunningExpanded(run, pen(80), 2))).toMatch(/^ {3}│ I look\.\n {3}waiting/);
	});
});

describe("a finished run", () => {
	it("fits in 60 columns with the key that shows more", () => {
		const lines = drawCollapsed(
			createDetails("Found it."),
			false,
			{ hint: "(ctrl+o to expand)", quote: quote("Found it.") },
			pen(60),
		);
		expect(plain(lines)).toMatch(
			/^ {3}Found it\. *\n {3}done · 2 turns · 14 s · \$0\.021 {2}\(ctrl\+o to expand\)$/,
		);
	});

	it("tells model and thinking level, and no session id, where there is room", () => {
		const lines = drawCollapsed(
			createDetails("Found it."),
			false,
			{ hint: "(ctrl+o to expand)", quote: quote("Found it.") },
			pen(140),
		);
		expect(plain(lines)).toContain(
			"   done · 2 turns · 14 s · 2 calls · 14.2k tokens · $0.021 · model-1 high  (ctrl+o to expand)",
		);
	});

	it("shows three lines of a long answer, and that there is more", () => {
		const answer = "The retry is decided in one place. ".repeat(9).trim();
		const lines = drawCollapsed(createDetails(answer), false, { hint: "", quote: quote(answer) }, pen(60));
		expect(lines).toHaveLength(4);
		expect(plain(lines)).toMatch(/^ {3}The retry is decided in one place\. The retry.*\n.*\n.* …\n {3}done/);
	});

	it("tells all of a reason that fits into three lines, not only its first words", () => {
		const reason = `${"The provider refused the key. ".repeat(3)}Set SCRIPTED_API_KEY.`;
		const lines = drawCollapsed(createDetails(reason), true, { hint: "", quote: quote("") }, pen(60));
		expect(plain(lines)).toContain("Set SCRIPTED_API_KEY.");
	});

	it("that was cancelled says that", () => {
		const details = createDetails("The run was cancelled.");
		const cancelled = { ...details, results: details.results.map((one) => ({ ...one, exitCode: 130 })) };
		const lines = drawCollapsed(cancelled, true, { hint: "", quote: quote("") }, pen(80));
		expect(plain(lines)).toMatch(/^ {3}The run was cancelled\.\n {3}cancelled · 2 turns/);
	});

	it("shows paths as a person in the directory writes them", () => {
		const details = createDetails("/home/me/code/.pi/agents/a.md is not trusted");
		const shown = shortenPaths(
			{
				...details,
				results: details.results.map((one) => ({ ...one, sessionFile: "/home/me/.pi/x.jsonl" })),
			},
			{ cwd: "/home/me/code", home: "/home/me" },
		);
		expect(shown.error?.message).toBe(".pi/agents/a.md is not trusted");
		expect(shown.results[0]?.sessionFile).toBe("~/.pi/x.jsonl");
		expect(shown.results[0]?.output).toBe(details.results[0]?.output);
	});

	it("names what was refused, also when it succeeded", () => {
		const details = createDetails("Cleaned up.");
		const refused = ["bash rm -rf src: The user said no.", "bash git clean: The user said no."];
		const marked = { ...details, results: details.results.map((one) => ({ ...one, refused })) };
		const lines = drawCollapsed(marked, false, { hint: "", quote: quote("Cleaned up.") }, pen(80));
		expect(plain(lines)).toContain("   refused: bash rm -rf src: The user said no. · and 1 more\n");
		expect(plain(drawAround(marked, false, pen(80)).below)).toContain("refused: bash git clean");
	});

	it("that failed says why", () => {
		const lines = drawCollapsed(
			createDetails("The model refused."),
			true,
			{ hint: "", quote: quote("") },
			pen(80),
		);
		expect(plain(lines)).toContain("   The model refused.\n");
		expect(plain(lines)).toContain("failed · 2 turns");
	});

	it("expanded tells every call, where it ran and where its session is", () => {
		const { above, below } = drawAround(createDetails("word"), true, pen(90));
		expect(plain(above)).toContain("▸ grep word .");
		expect(plain(below)).toContain("SUBAGENT_FAILED: word");
		expect(plain(below)).toContain(
			"agent: builtin · model: acme/model-1 · thinking: high · confinement: tools-only",
		);
		expect(plain(below)).toContain("session: 284e41de-64da-46d9-8262-bbd1b4de1266");
		expect(plain(below)).toContain("   /home/word/x.jsonl");
	});
});

describe("the arguments of a call", () => {
	it("are shown by their values, each cut", () => {
		expect(formatArguments({ a: "x", b: "", c: undefined, d: [1], e: "y".repeat(100) })).toBe(
			`x [1] ${"y".repeat(80)}…`,
		);
	});
});
