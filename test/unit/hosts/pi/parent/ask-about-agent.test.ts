import { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../../src/contract/agent.ts";
import type { ResultChanges } from "../../../../../src/contract/result.ts";
import { askAboutAgent } from "../../../../../src/hosts/pi/parent/ask-about-agent.ts";
import { askAboutChanges } from "../../../../../src/hosts/pi/parent/ask-about-changes.ts";
import type { QuestionContext } from "../../../../../src/hosts/pi/parent/toolkit/show-agent-question.ts";

const agent: AgentDefinition = {
	name: "deployer",
	description: "Deploy it",
	prompt: `You deploy.\n${"And so on.\n".repeat(40)}The last line of it.`,
	readonly: false,
	tools: { kind: "allow", names: ["read", "bash"] },
	source: "project",
	file: "/code/project/.pi/agents/deployer.md",
	contentHash: "abc",
	skills: ["release"],
	skillHashes: { release: "0123456789abcdef" },
	model: "scripted/model-1",
};
const granted = { tools: ["read"], withheld: ["bash"] };

it("offers what decides nothing first to a program", async () => {
	const offered: string[][] = [];
	const ui = {
		select: async (_title: string, options: string[]) => {
			offered.push(options);
			return [...options, undefined][offered.length - 1];
		},
	};
	const context = { cwd: "/code/project", mode: "rpc", ui } as unknown as QuestionContext;
	expect(await askAboutAgent(agent, granted, context)).toBe("not-now");
	expect(await askAboutAgent(agent, granted, context)).toBe(true);
	expect(await askAboutAgent(agent, granted, context)).toBe(false);
	expect(await askAboutAgent(agent, granted, context), "Esc").toBe("not-now");
});

/** A terminal of 80 × 24 in which these keys are pressed, one after the other. */
async function answerWith(
	keys: readonly string[],
	ask: (context: QuestionContext) => Promise<unknown> = (context) => askAboutAgent(agent, granted, context),
) {
	const screens: string[] = [];
	const left = [...keys];
	const custom = async (
		create: (...given: unknown[]) => { render(width: number): string[]; handleInput(key: string): void },
	) => {
		let isDone = false;
		let result: unknown;
		const done = (value: unknown): void => {
			isDone = true;
			result = value;
		};
		const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
		const panel = create({ requestRender: () => {}, terminal: { rows: 24 } }, theme, {}, done);
		screens.push(panel.render(80).join("\n"));
		while (!isDone && left.length > 0) {
			panel.handleInput(left.shift() ?? "");
			if (!isDone) screens.push(panel.render(80).join("\n"));
		}
		return isDone ? result : "open";
	};
	const library = { matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi };
	const context = {
		cwd: "/code/project",
		mode: "tui",
		ui: { custom },
		library,
	} as unknown as QuestionContext;
	return { answer: await ask(context), screens };
}

const DOWN = "\u001b[B";

describe("in a terminal", () => {
	it("has tools, skills and model on the first screen", async () => {
		const { screens } = await answerWith(["\u001b"]);
		const [first = ""] = screens;
		expect(first).toContain("Tools it gets: read");
		expect(first).toContain("does not get: bash");
		expect(first).toContain("release (0123456789ab)");
		expect(first).toContain("Model it names: scripted/model-1");
		expect(first).toMatch(/→ Not now\n {3}Yes, run it\n {3}No, not in this session/);
		expect(first.split("\n").length).toBeLessThanOrEqual(22);
	});

	it.each([
		[["\r"], "not-now"],
		[["\u001b"], "not-now"],
		[[DOWN, "\r"], true],
		[[DOWN, DOWN, "\r"], false],
		// Somebody who types on: a letter is no answer, whichever it is.
		[[..."just do it", "\r"], "not-now"],
	])("%j means %s", async (keys, expected) => {
		expect((await answerWith(keys)).answer).toBe(expected);
	});

	it("shows the whole text with f, and asks again after", async () => {
		const { answer, screens } = await answerWith(["f", "\u001b[F", "q", DOWN, "\r"]);
		expect(screens.some((screen) => screen.includes("The last line of it."))).toBe(true);
		expect(answer).toBe(true);
	});
});

describe("about changes, in a terminal", () => {
	const CHANGES: ResultChanges = {
		...{ id: "1a2b3c4d", isolation: "layer", state: "pending", files: [], added: 1, removed: 0 },
		...{
			ignored: { count: 0, names: [] },
			repositories: { count: 0, names: [] },
			commands: [],
			refusedCalls: 0,
		},
	};
	it.each([
		[["\r"], "keep"],
		[["\u001b"], "keep"],
		[[DOWN, DOWN, "\r"], "apply"],
		[[DOWN, DOWN, DOWN, "\r"], "drop"],
		// In pi's own selector two of these letters would apply, and three drop for good.
		[[..."jj", "\r"], "keep"],
		[[..."jjj", "\r"], "keep"],
	])("%j means %s", async (keys, expected) => {
		const ask = (context: QuestionContext) =>
			askAboutChanges(CHANGES, { agent: "fixer", context, library: context.library });
		expect((await answerWith(keys, ask)).answer).toBe(expected);
	});
});
