import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { measureCells } from "../../../packages/ground/text/measure-cells.ts";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { checkDirectories } from "../../../src/commands/check-directories.ts";
import { checkHealth } from "../../../src/commands/check-health.ts";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { adviseOn, type ListedAgent, listAgents } from "../../../src/commands/list-agents.ts";
import { renderReport } from "../../../src/commands/render-report.ts";
import { showActivity } from "../../../src/commands/show-activity.ts";
import { showLogs } from "../../../src/commands/show-logs.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { appendJournal } from "../../../src/journal/append-journal.ts";
import { journalFile } from "../../../src/journal/journal-file.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const context = () => createCommandContext({ cwd: home.project, env: home.env });
const note = (name: string, durationMs: number, ok = true, cost = 0.5): void =>
	appendJournal(home.agentDirectory, {
		time: "2026-01-01T10:00:00.000Z",
		kind: "subagent",
		name,
		ok,
		...(ok ? {} : { code: "SUBAGENT_TIMEOUT" }),
		durationMs,
		summary: "task" as RedactedText,
		usage: { ...NO_USAGE, input: 1000, cost, turns: 2 },
		runId: "0123abcd",
	});

describe("listAgents", () => {
	it("says what an agent is granted, what is withheld, and what keeps it from running", () => {
		home.write(".pi/agents/explorer.md", "---\nname: explorer\ndescription: mine\ntools: read, bash\n---\n");
		home.write(join(home.agentDirectory, "agents/odd.md"), "---\nname: odd\ntools: reed\n---\n");
		const { agents } = listAgents(context()).data as { agents: Record<string, unknown>[] };
		expect(agents.find(({ name }) => name === "explorer")).toMatchObject({
			...{ source: "project", shadows: "builtin", tools: ["read"], withheld: ["bash"], mode: "readonly" },
			state: "needs your approval",
		});
		expect(agents.find(({ name }) => name === "odd")).toMatchObject({
			state: expect.stringContaining('unknown tool "reed"'),
		});
	});
});

describe("what a file probably meant", () => {
	it("stands beside the agent, and in doctor beside settings that do not count", async () => {
		home.write(
			join(home.agentDirectory, "agents/careful.md"),
			"---\nname: careful\ndenied_tool: bash\n---\n",
		);
		home.write(".pi/deputize.json", '{"subagents":{"timeoutMs":1000}}');
		expect(JSON.stringify(listAgents(context()))).toContain(
			"denied_tool means nothing; did you mean denied_tools?",
		);
		const health = JSON.stringify(await checkHealth(context()));
		expect(health).toContain("careful: the field denied_tool means nothing");
		expect(health).toContain(`${join(home.project, ".pi/deputize.json")} is not read`);
	});
});

describe("checkDirectories", () => {
	const find = (name: string) => checkDirectories(context()).find(({ text }) => text.startsWith(`${name}:`));

	it("knows a place that can be made, one that is there, and one that others can read", () => {
		expect(find("journal")).toMatchObject({ status: "info" });
		note("explorer", 1);
		expect(find("journal")).toMatchObject({ status: "ok" });
		chmodSync(journalFile(home.agentDirectory), 0o644);
		expect(find("journal")).toMatchObject({ status: "warn", remedy: expect.stringContaining("chmod") });
	});

	it("says that compiled code is taken from where others can write", () => {
		const temporary = join(home.home, "shared");
		const cache = join(temporary, "node-compile-cache");
		mkdirSync(cache, { recursive: true, mode: 0o700 });
		vi.stubEnv("TMPDIR", temporary);
		try {
			const look = (env: object = {}) =>
				checkDirectories(
					createCommandContext({
						cwd: home.project,
						env: { ...home.env, NODE_DISABLE_COMPILE_CACHE: "", NODE_COMPILE_CACHE: "", ...env },
					}),
				).filter(({ text }) => text.startsWith("compiled code:"));
			expect(look()).toEqual([]);
			chmodSync(cache, 0o777);
			const found = { status: "fail", text: expect.stringContaining(`${cache} belongs to somebody else`) };
			expect(look()).toMatchObject([found]);
			expect(look({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual([]);
			expect(look({ NODE_COMPILE_CACHE: home.project })).toEqual([]);
			vi.stubEnv("TMPDIR", home.project);
			expect(look({ NODE_COMPILE_CACHE: cache })).toMatchObject([found]);
		} finally {
			vi.unstubAllEnvs();
		}
	});

	it("says that a disk is full", async () => {
		vi.resetModules();
		vi.doMock("node:fs", async (load) => ({
			...(await load<typeof import("node:fs")>()),
			statfsSync: () => ({ bavail: 3, bsize: 4096 }),
		}));
		try {
			const { checkDirectories: check } = await import("../../../src/commands/check-directories.ts");
			expect(check(context()).slice(0, 2)).toMatchObject(
				["sessions", "journal"].map((name) => ({
					status: "fail",
					text: expect.stringMatching(new RegExp(`^${name}: .* is full \\(12 KiB free\\)`)),
				})),
			);
		} finally {
			vi.doUnmock("node:fs");
			vi.resetModules();
		}
	});

	it("says what is in the way of a place that cannot be made", () => {
		home.write(join(home.agentDirectory, "deputize"), "a file");
		expect(find("journal")).toMatchObject({
			status: "fail",
			remedy: expect.stringContaining("agent/deputize a directory"),
		});
	});
});

describe("what each agent will use", () => {
	const write = (subagents: object) =>
		home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ subagents }));
	const find = (name: string, more: Parameters<typeof createCommandContext>[0] | undefined = undefined) => {
		const report = listAgents(more ? createCommandContext(more) : context());
		const { agents } = report.data as { agents: readonly ListedAgent[] };
		return agents.find((agent) => agent.name === name);
	};
	const open = (models: readonly string[], parentModel?: string) => ({
		...{ cwd: home.project, env: home.env, models, parentModel, parentThinkingLevel: "medium" },
	});

	it("is named with who decides it", () => {
		write({ model: "x/all", agents: { explorer: { model: "x/a, x/b", thinking: "low", maxTurns: 9 } } });
		expect(find("explorer")).toMatchObject({
			...{ model: "x/a", thinking: "low", fallbackModels: ["x/b"], maxTurns: 9 },
			modelFrom: "subagents.agents.explorer.model",
		});
		expect(find("tester")).toMatchObject({ model: "x/all", modelFrom: "subagents.model", thinking: null });
		const lines = JSON.stringify(listAgents(context()).sections);
		expect(lines).toContain(
			"model x/a, thinking low, then x/b (subagents.agents.explorer.model) · at most 9 turns",
		);
	});

	it("is the first that pi can use, or the main agent's", () => {
		write({ agents: { explorer: { model: "x/a, x/b" } } });
		expect(find("explorer", open(["x/b"], "x/main"))).toMatchObject({
			model: "x/b",
			doubts: [expect.stringContaining('"x/a"')],
		});
		expect(find("tester", open(["x/b"], "x/main"))).toMatchObject({
			...{ model: "x/main", thinking: "medium", modelFrom: "the main agent's" },
		});
	});

	it("is not looked for among pi's models where another program runs the agent", () => {
		home.write(
			join(home.agentDirectory, "agents/mine.md"),
			"---\nname: mine\nmodel: sonnet\nruntime: claude\n---\n",
		);
		expect(find("mine", open(["x/b"]))).toMatchObject({ model: "sonnet", doubts: [] });
	});

	it("is in the doctor's report too, with settings for agents that do not exist", async () => {
		write({
			...{ agents: { explorr: { disabled: true } }, thinking: "high" },
			...{ writers: ["fixr"], disabledAgents: ["of-another-project"] },
		});
		const health = JSON.stringify(await checkHealth(context()));
		expect(health).toContain(
			"explorer, implementer, researcher, reviewer, tester: model offline/navigator (no credentials were found)",
		);
		expect(health).toContain("subagents.agents.explorr: there is no agent of that name here");
		expect(health).toContain('names \\"fixr\\": there is no agent of that name here. Did you mean fixer?');
		expect(health).toContain('names \\"of-another-project\\": there is no agent of that name here"');
	});

	it("says of an agent that is off what it would be", () => {
		expect(find("fixer", open([]))).toMatchObject({
			...{ mode: "in a layer", state: expect.stringContaining("which does not list it") },
			tools: expect.arrayContaining(["edit", "bash"]),
		});
		expect(JSON.stringify(listAgents(createCommandContext(open([]))).sections)).toContain(
			"fixer (off, in a layer): ",
		);
	});
});

describe("an agent that would not run", () => {
	it("comes with what to do about it", () => {
		home.write(".pi/agents/mine.md", "---\nname: mine\ndescription: d\n---\n");
		home.write(join(home.agentDirectory, "agents/odd.md"), "---\nname: odd\ntools: reed\n---\n");
		home.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ subagents: { disabledAgents: ["tester"] } }),
		);
		const { agents } = listAgents(context()).data as { agents: readonly ListedAgent[] };
		const advice = (wanted: string): string =>
			agents.filter(({ name }) => name === wanted).map(adviseOn)[0] ?? "";
		expect(advice("mine")).toContain("/trust");
		expect(advice("odd")).toMatch(/^Correct .*odd\.md\.$/);
		expect(advice("tester")).toContain("deputize.json");
	});
});

describe("showActivity", () => {
	it("counts runs, success, times and cost per agent", () => {
		for (const time of [100, 200, 300, 400]) note("explorer", time);
		note("explorer", 9000, false);
		note("tester", 50);
		const { agents, cost } = showActivity(context()).data as {
			agents: Record<string, unknown>[];
			cost: number;
		};
		expect(agents).toMatchObject([
			{
				name: "explorer",
				runs: 5,
				succeeded: 4,
				medianMs: 300,
				p95Ms: 9000,
				usage: { turns: 10, input: 5000, cost: 2.5 },
				codes: { SUBAGENT_TIMEOUT: 1 },
			},
			{ name: "tester", runs: 1, succeeded: 1 },
		]);
		expect(cost).toBe(3);
	});

	it("counts what was refused before anything ran apart from the runs of agents", () => {
		note("explorer", 100);
		const refused = { time: "2026-01-01T10:00:00.000Z", kind: "subagent", ok: false, durationMs: 1 } as const;
		const summary = "no such agent" as RedactedText;
		appendJournal(home.agentDirectory, { ...refused, name: "explorr", code: "UNKNOWN_AGENT", summary });
		appendJournal(home.agentDirectory, { ...refused, name: "explorer", code: "INVALID_INPUT", summary });
		const report = showActivity(context());
		expect(report.data).toMatchObject({
			agents: [{ name: "explorer", runs: 1, succeeded: 1 }],
			refused: { UNKNOWN_AGENT: 1, INVALID_INPUT: 1 },
		});
		expect(JSON.stringify(report.sections)).toContain("UNKNOWN_AGENT ×1");
	});

	it("counts the calls of a run that have no line of their own", () => {
		const run = { kind: "subagent", name: "explorer", ok: true, durationMs: 5, runId: "0123abcd" } as const;
		const noted = { ...run, time: "2026-01-01T10:00:00.000Z", summary: "task" as RedactedText };
		appendJournal(home.agentDirectory, { ...noted, calls: { grep: 40, read: 19 } });
		appendJournal(home.agentDirectory, { ...noted, calls: { read: 1 } });
		const report = showActivity(context());
		expect(report.sections.at(-1)?.lines.map(({ text }) => text)).toEqual([
			"grep: 40 calls",
			"read: 20 calls",
		]);
		expect(report.data).toMatchObject({ calls: { grep: 40, read: 20 } });
	});

	it("does not count a missing language server as a failure of the tool", () => {
		const call = { time: "2026-01-01T10:00:00.000Z", kind: "lsp", name: "lsp", durationMs: 1 } as const;
		const summary = "symbols x" as RedactedText;
		const missing = { ...call, ok: false, code: "LSP_SERVER_NOT_FOUND", summary };
		appendJournal(home.agentDirectory, missing);
		const shown = () => renderReport(showActivity(context()), { width: 100 }).join("\n");
		expect(shown()).toMatch(/· █+ lsp\n +1 run · median 1 ms · p95 1 ms · LSP_SERVER_NOT_FOUND ×1/);
		appendJournal(home.agentDirectory, { ...call, ok: true, summary });
		expect(shown()).toContain("100 % succeeded");
	});

	it("says so when there is nothing", () => {
		expect(renderReport(showActivity(context()), { width: 60 }).join("\n")).toContain(
			"Nothing has been recorded yet.",
		);
	});
});

describe("a report that is narrowed to nothing", () => {
	it("says that nothing matches, and that there is more", () => {
		note("explorer", 1500);
		const logs = showLogs(context(), { narrow: { model: "zzz" } });
		expect(logs.sections[0]?.lines[0]?.text).toBe(
			"Nothing was recorded with model zzz. Without that there is 1 record.",
		);
		const kinds = showLogs(context(), { kinds: ["web"] });
		expect(kinds.sections[0]?.lines[0]?.text).toContain("Nothing was recorded of web.");
		const activity = showActivity(context(), { project: "/nonexistent" });
		expect(activity.sections[0]?.lines[0]?.text).toContain("Nothing was recorded in /nonexistent.");
	});
});

describe("showLogs", () => {
	it("shows the newest first with what matters", () => {
		note("explorer", 1500);
		note("tester", 50, false);
		const [first, second] = showLogs(context(), { kinds: [], limit: 5 }).sections[0]?.lines ?? [];
		expect(first).toMatchObject({
			status: "fail",
			text: expect.stringContaining("tester · 50 ms · 2 turns · 1.0k tokens · $0.500 · SUBAGENT_TIMEOUT"),
		});
		expect(second).toMatchObject({ status: "ok", text: expect.stringContaining("explorer · 1.5 s") });
	});
});

describe("renderReport", () => {
	it("breaks at spaces only, and measures in cells", () => {
		const path = `/home/${"x".repeat(300)}/cli.js`;
		const text = `${"word ".repeat(40)}${path} ${"語語 ".repeat(40).trimEnd()}`;
		const lines = renderReport(
			{ title: "T", sections: [{ heading: "H", lines: [{ status: "warn", text, remedy: text }] }], data: {} },
			{ width: 60 },
		);
		const others = lines.filter((line) => line.trim() !== path);
		expect(others).toHaveLength(lines.length - 2);
		expect(Math.max(...others.map(measureCells))).toBeLessThanOrEqual(60);
		expect(lines.join("").match(/word/g)).toHaveLength(80);
		expect(lines.join("").match(/語語/g)).toHaveLength(80);
	});

	it("ends at a limit and says how much is missing, and lets no escape sequence through", () => {
		const lines = Array.from({ length: 100 }, (_, index) => ({ text: `line ${index}\u001b[2J` }));
		const rendered = renderReport(
			{ title: "T", sections: [{ heading: "H", lines }], data: {} },
			{ width: 60, maxCharacters: 200 },
		);
		expect(rendered.join("\n").length).toBeLessThan(230);
		expect(rendered.at(-1)).toMatch(/^… \d+ more lines$/);
		expect(rendered.join("")).not.toContain("\u001b");
	});
});
