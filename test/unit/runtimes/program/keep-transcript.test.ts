import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import { keepTranscript, restoreTranscript } from "../../../../src/runtimes/program/keep-transcript.ts";

describe("the transcript of another agent's program", () => {
	let root = "";
	const home = () => join(root, "home");
	const session = () => ({ file: join(root, "sessions", "a.jsonl"), id: "our-id" });
	const owner = {
		runtime: "codex",
		cwd: "/project",
		name: "thread-1",
		spent: { ...NO_USAGE, input: 5 },
	} as const;
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "transcript-"));
		mkdirSync(join(home(), "sessions", "2026"), { recursive: true });
		mkdirSync(join(root, "sessions"));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	it("comes back to where the program looks for it, with name and spending", () => {
		writeFileSync(join(home(), "sessions", "2026", "rollout-thread-1.jsonl"), '{"a":1}\n{"b":2}\n');
		keepTranscript(home(), session(), owner);
		expect(statSync(session().file).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(session().file, "utf8").split("\n")[0] ?? "")).toMatchObject({
			type: "session",
			id: "our-id",
			cwd: "/project",
			runtime: "codex",
		});
		const next = join(root, "next");
		mkdirSync(next);
		expect(restoreTranscript(next, session().file)).toEqual({ name: "thread-1", spent: owner.spent });
		expect(readFileSync(join(next, "sessions", "2026", "rollout-thread-1.jsonl"), "utf8")).toBe(
			'{"a":1}\n{"b":2}\n',
		);
	});

	it("is not kept when there is none, and a missing directory is none", () => {
		keepTranscript(home(), session(), owner);
		keepTranscript(join(root, "gone"), session(), owner);
		expect(readdirSync(join(root, "sessions"))).toEqual([]);
		expect(restoreTranscript(home(), session().file)).toBeUndefined();
	});

	it.each(["/etc/evil.jsonl", "../evil.jsonl", "a/../../evil.jsonl"])("is never restored to %s", (path) => {
		writeFileSync(session().file, `${JSON.stringify({ type: "session", name: "n", path })}\nevil\n`);
		expect(restoreTranscript(home(), session().file)).toBeUndefined();
		expect(readdirSync(root).sort()).toEqual(["home", "sessions"]);
	});
});
