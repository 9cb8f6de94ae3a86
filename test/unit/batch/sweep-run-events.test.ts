import { readdirSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { sweepRunEvents } from "../../../src/batch/sweep-run-events.ts";
import { openRunEvents, runEventsDirectory } from "../../../src/journal/open-run-events.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const GONE = { pid: 4_194_300, host: hostname() };

function leaveEvents(runId: string, owner: { readonly pid: number; readonly host: string }, batch?: string) {
	const summary = "s" as RedactedText;
	openRunEvents(home.agentDirectory, {
		type: "start",
		at: 1,
		start: {
			event: "start",
			time: "2026-01-01T00:00:00.000Z",
			kind: "subagent",
			name: "explorer",
			runId,
			summary,
			process: owner,
			...(batch === undefined ? {} : { batch }),
		},
		task: summary,
		tools: [],
		runtime: "pi",
		sessionFile: "/nowhere.jsonl",
	});
}

test("what tasks of a killed batch left is removed, and nothing else", () => {
	leaveEvents("killed", GONE, "b1");
	leaveEvents("alive", { pid: process.pid, host: hostname() }, "b1");
	leaveEvents("elsewhere", { ...GONE, host: `not-${hostname()}` }, "b1");
	leaveEvents("single", GONE);
	sweepRunEvents(home.agentDirectory);
	const left = readdirSync(runEventsDirectory(home.agentDirectory)).sort();
	expect(left).toEqual(["alive.jsonl", "elsewhere.jsonl", "single.jsonl"]);
	sweepRunEvents(`${home.agentDirectory}/none`);
});
