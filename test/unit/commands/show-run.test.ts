import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { describeContinuation } from "../../../src/commands/describe-continuation.ts";
import { renderReport } from "../../../src/commands/render-report.ts";
import { findRun, showRun } from "../../../src/commands/show-run.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { sessionDirectory, sessionFile, sessionsRoot } from "../../../src/sessions/session-path.ts";
import { noteRun, toStart } from "../../helpers/noted-runs.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const context = () => createCommandContext({ cwd: home.project, env: home.env });
const SESSION = "550e8400-e29b-41d4-a716-446655440000";

describe("one run", () => {
	it("is found by its id, by its session and by the beginning of either", () => {
		noteRun(home.agentDirectory, toStart("aaaa1111", { sessionId: SESSION })).end();
		noteRun(home.agentDirectory, toStart("aaaa2222")).end();
		const found = (id: string) => {
			const run = findRun(id, context());
			return typeof run === "string" ? run : run.runId;
		};
		expect(found("aaaa1111")).toBe("aaaa1111");
		expect(found(SESSION)).toBe("aaaa1111");
		expect(found("550e")).toBe("aaaa1111");
		expect(found("aaaa")).toMatch(/beginning of 2 runs/);
		expect(found("zzz")).toMatch(/knows no run and no session "zzz"/);
	});

	it("that is one of several with this beginning is listed with what begins so", () => {
		noteRun(home.agentDirectory, toStart("aaaa1111")).end();
		noteRun(home.agentDirectory, toStart("bbbb2222", { sessionId: `a${SESSION.slice(1)}` })).end();
		const found = findRun("a", context());
		expect(found).toContain("aaaa1111");
		expect(found).toContain(`bbbb2222 (session a${SESSION.slice(1)})`);
	});

	it("shows its task, calls with their times, text, what came of it and each turn", () => {
		const run = noteRun(home.agentDirectory, toStart("aaaa1111"));
		const at = Date.now();
		const usage = { ...NO_USAGE, input: 1200, turns: 1 };
		run.write({ type: "turn", at });
		run.write({ type: "message", at: at + 900, text: "I look." as RedactedText, usage, model: "acme/m" });
		run.write({ type: "call", at: at + 1000, id: "1", name: "grep", args: { pattern: "retry" } });
		run.write({ type: "result", at: at + 1020, id: "1", isError: true });
		run.write({ type: "correction", at: at + 1030 });
		run.write({ type: "instruction", at: at + 1040, text: "look north" as RedactedText });
		const report = showRun("aaaa1111", context());
		const shown = report ? renderReport(report, { width: 100 }).join("\n") : "";
		expect(shown).toMatch(/: running/);
		expect(shown).toContain("I look.");
		expect(shown).toContain('✗ grep {"pattern":"retry"} · 20 ms');
		expect(shown).toContain("! Sent back");
		expect(shown).toContain("! The user wrote: look north");
		expect(shown).toMatch(/1: 900 ms · 1\.2k tokens · acme\/m/);
		expect(shown).toContain("run: aaaa1111");
	});

	it("has its task and what came of it before what it did", () => {
		noteRun(home.agentDirectory, toStart("aaaa1111")).end();
		const headings = showRun("aaaa1111", context())?.sections.map(({ heading }) => heading) ?? [];
		expect(headings[0]).toBe("Task");
		expect(headings.indexOf("What came of it")).toBeLessThan(headings.indexOf("What it did"));
	});

	it("that nothing was kept of is said to be so", () => {
		expect(showRun("nothing", context())).toBeUndefined();
		const run = noteRun(home.agentDirectory, toStart("aaaa1111"));
		const summary = findRun("aaaa1111", context());
		if (typeof summary === "string") throw new Error(summary);
		expect(describeContinuation(summary, context())).toMatch(/still at work/);
		run.end();
		const over = findRun("aaaa1111", context());
		if (typeof over === "string") throw new Error(over);
		expect(describeContinuation(over, context())).toMatch(/Nothing was kept/);
	});

	it.each([
		["pi", {}, /^pi --session \S+\.jsonl\ndeputize run explorer --session 550e\S+ "…"$/],
		["claude", { runtime: "claude" }, /^deputize run explorer --runtime claude --session 550e\S+ "…"$/],
	])("of the runtime %s is continued by what can read its session", (_name, header, said) => {
		noteRun(home.agentDirectory, toStart("aaaa1111", { sessionId: SESSION, cwd: home.project })).end();
		const directory = sessionDirectory(sessionsRoot(home.home), home.project);
		const line = JSON.stringify({ type: "session", id: SESSION, cwd: home.project, ...header });
		home.write(sessionFile(directory, "explorer", SESSION), `${line}\n`);
		const run = findRun("aaaa1111", context());
		if (typeof run === "string") throw new Error(run);
		expect(describeContinuation(run, context())).toMatch(said);
	});
});
