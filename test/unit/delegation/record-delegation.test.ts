import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { DelegationResult } from "../../../src/contract/result.ts";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import { recordDelegation } from "../../../src/delegation/record-delegation.ts";
import { createRedact } from "../../../src/delegation/redact.ts";
import { journalFile } from "../../../src/journal/journal-file.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const SECRET = "correct-horse-battery-staple-4711";
let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

function record(result: object, facts: object = {}) {
	const surroundings = {
		env: { DEPLOY_TOKEN: SECRET },
		home: home.home,
		agentDirectory: home.agentDirectory,
		depth: 0,
	};
	recordDelegation(result as DelegationResult, {
		surroundings,
		redact: createRedact(surroundings),
		input: { agent: "explorer" },
		tools: [],
		durationMs: 99.6,
		cwd: `/project/${SECRET}`,
		...facts,
	});
	const { time, ...line } = JSON.parse(readFileSync(journalFile(home.agentDirectory), "utf8"));
	expect(time).toEqual(expect.any(String));
	return line;
}

it("notes a run that succeeded with its own time and what it was", () => {
	const single = {
		agent: "explorer",
		task: "find it",
		durationMs: 12.4,
		model: "acme/m",
		agentSource: "builtin",
		usage: { ...NO_USAGE, turns: 2 },
		confinement: "os-sandbox",
	};
	const details = { results: [single], runId: "abcd1234", sessionId: "s" };
	const start = { time: "2026-01-01T00:00:00.000Z", runId: "abcd1234", parent: "pi:1" };
	expect(record({ isError: false, details }, { tools: ["read"], start })).toEqual({
		kind: "subagent",
		name: "explorer",
		ok: true,
		durationMs: 12,
		summary: "find it",
		startedAt: "2026-01-01T00:00:00.000Z",
		cwd: "/project/[REDACTED]",
		model: "acme/m",
		runId: "abcd1234",
		parent: "pi:1",
		source: "builtin",
		usage: { ...NO_USAGE, turns: 2 },
		confinement: "os-sandbox",
		tools: ["read"],
		sessionId: "s",
	});
});

it("notes a run that failed with its reason, and one that was cut with its task", () => {
	const error = { code: "SUBAGENT_TIMEOUT", message: "It took too long.", cause: { kind: "idle" } };
	const results = [{ agent: "explorer", task: "find it", durationMs: 5 }];
	expect(record({ isError: true, details: { results, error } })).toMatchObject({
		ok: false,
		code: "SUBAGENT_TIMEOUT",
		cause: "idle",
		summary: "It took too long.",
	});
	home.remove();
	home = createTestHome();
	expect(record({ isError: false, details: { results, error } })).toMatchObject({ summary: "find it" });
});

it.each([
	["the name that was asked for", { agent: "nobody" }, "nobody"],
	["no secret in its place", { agent: SECRET }, "[REDACTED]"],
	["no more than a name's length", { agent: "n".repeat(100) }, "n".repeat(64)],
	["none where there is none", 7, "(none)"],
	["none where it is empty", { agent: "" }, "(none)"],
])("notes what was refused before it ran with %s", (_name, input, name) => {
	const details = { results: [] };
	expect(record({ isError: true, details }, { input, start: { time: "t", runId: "from-start" } })).toEqual({
		kind: "subagent",
		name,
		ok: false,
		durationMs: 100,
		summary: "",
		startedAt: "t",
		cwd: "/project/[REDACTED]",
		runId: "from-start",
	});
});
