import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answersDirectory, prepareAnswersDirectory } from "../../../src/judge/answers-directory.ts";
import { keepAnswer } from "../../../src/sessions/keep-answer.ts";
import { lockSession } from "../../../src/sessions/lock-session.ts";
import { openSession } from "../../../src/sessions/open-session.ts";
import { sessionDirectory, sessionFile, sessionsRoot } from "../../../src/sessions/session-path.ts";
import { sweepLocks, sweepSessions } from "../../../src/sessions/sweep-sessions.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const ID = "550e8400-e29b-41d4-a716-446655440000";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const open = (sessionId?: string) =>
	openSession({ home: home.home, cwd: home.project, agent: "scout", ...(sessionId ? { sessionId } : {}) });

function writeSession(
	header: unknown = { type: "session", version: 3, id: "x", cwd: home.project },
	rest = "",
): string {
	const directory = sessionDirectory(sessionsRoot(home.home), home.project);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	const file = sessionFile(directory, "scout", ID);
	writeFileSync(file, `${typeof header === "string" ? header : JSON.stringify(header)}\n${rest}`);
	return file;
}

describe("openSession", () => {
	it("makes a new session with an id, in a private directory, and leaves no lock", () => {
		const session = open();
		expect(session.plan.resumed).toBe(false);
		expect(session.plan.file).toMatch(/\/\.pi\/subagent-sessions\/[0-9a-f]{16}\/scout_[0-9a-f-]{36}\.jsonl$/);
		expect(statSync(dirname(session.plan.file)).mode & 0o777).toBe(0o700);
		session.close();
		expect(readdirSync(dirname(session.plan.file))).toEqual([]);
	});

	it("promises to continue only what it would continue", () => {
		const session = open();
		expect(session.isResumable()).toBe(false);
		writeFileSync(session.plan.file, "hello\n");
		expect(session.isResumable()).toBe(false);
		writeFileSync(session.plan.file, `${JSON.stringify({ type: "session", id: "x", cwd: home.project })}\n`);
		expect(session.isResumable()).toBe(true);
		session.close();
	});

	it("gives the same directory for two paths to one project", () => {
		symlinkSync(home.project, join(home.home, "link"));
		const root = sessionsRoot(home.home);
		expect(sessionDirectory(root, join(home.home, "link"))).toBe(sessionDirectory(root, home.project));
	});

	it("says that an unknown id does not exist, and makes nothing", () => {
		expect(() => open(ID)).toThrow(/There is no session 550e8400.* of the agent scout in this directory/);
		expect(existsSync(sessionsRoot(home.home))).toBe(false);
	});

	it("resumes a session whose last line is torn", () => {
		writeSession(undefined, '{"type":"message","id":"1"}\n{"type":"mess');
		const session = open(ID);
		expect(session.plan).toMatchObject({ id: ID, resumed: true });
		session.close();
	});

	it.each([
		[
			"a header for another directory",
			() => writeSession({ type: "session", id: "x", cwd: "/" }),
			"it was made for",
		],
		["no header", () => writeSession("not json"), "cannot be read as a session header"],
		[
			"a header of another kind",
			() => writeSession({ type: "message", id: "x", cwd: "." }),
			"cannot be read as a session header",
		],
		[
			"a symbolic link",
			() => {
				const file = writeSession();
				const real = home.write("real.jsonl", readFileSync(file, "utf8"));
				const linked = sessionFile(dirname(file), "scout", ID);
				rmSync(linked);
				symlinkSync(real, linked);
				return linked;
			},
			"symbolic link",
		],
	])("refuses %s, and changes nothing", (_name, make, reason) => {
		const file = make();
		const before = readFileSync(file, "utf8");
		expect(() => open(ID)).toThrow(new RegExp(reason));
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(existsSync(`${file}.lock`)).toBe(false);
	});

	it("keeps a second run out while the first holds the session", () => {
		writeSession();
		const first = open(ID);
		expect(() => open(ID)).toThrow(/busy/);
		first.close();
		open(ID).close();
	});
});

describe("lockSession", () => {
	it("takes over the lock of a dead process", async () => {
		const file = writeSession();
		const child = spawn(process.execPath, ["-e", "0"]);
		await once(child, "exit");
		writeFileSync(
			`${file}.lock`,
			JSON.stringify({ pid: child.pid, startTime: 1, host: hostname(), nonce: "n" }),
		);
		lockSession(file).release();
		expect(existsSync(`${file}.lock`)).toBe(false);
	});

	it("respects a lock whose child still lives although its parent is dead", () => {
		const file = writeSession();
		const lock = {
			pid: 999_999_999,
			startTime: 1,
			host: hostname(),
			nonce: "n",
			child: { pid: process.pid },
		};
		writeFileSync(`${file}.lock`, JSON.stringify(lock));
		expect(() => lockSession(file)).toThrow(/busy/);
	});

	it("does not release a lock that is no longer its own", () => {
		const file = writeSession();
		const lock = lockSession(file);
		writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, host: "h", nonce: "other" }));
		lock.release();
		expect(existsSync(`${file}.lock`)).toBe(true);
	});
});

describe("sessionFile", () => {
	it.each([
		["ann", "not an id"],
		["../ann", "8a6c1f52-4d0b-4a7e-9d3c-2f5e6a7b8c9d"],
		["Not a name", "8a6c1f52-4d0b-4a7e-9d3c-2f5e6a7b8c9d"],
	])("refuses %s with %s, although the other of the two is good", (agent, id) => {
		expect(() => sessionFile("/d", agent, id)).toThrow(
			`No session can be named ${JSON.stringify(`${agent}_${id}`)}.`,
		);
	});

	it("never leads outside its directory, whatever the names", () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (agent, id) => {
				try {
					return dirname(sessionFile("/d", agent, id)) === "/d";
				} catch (error) {
					return (error as { code?: string }).code === "INVALID_INPUT";
				}
			}),
		);
	});
});

describe("sweepSessions", () => {
	it("removes what is older than the limit, keeps the rest, and looks once a day", () => {
		const file = writeSession();
		const now = Date.now();
		const day = 24 * 60 * 60 * 1000;
		utimesSync(file, new Date(now - 40 * day), new Date(now - 40 * day));
		expect(sweepSessions({ home: home.home, maxAgeDays: 50, now })).toBe(0);
		expect(sweepSessions({ home: home.home, maxAgeDays: 30, now })).toBe(0);
		expect(existsSync(file)).toBe(true);
		expect(sweepSessions({ home: home.home, maxAgeDays: 30, now: now + 2 * day })).toBe(1);
		expect(existsSync(file)).toBe(false);
	});

	it.each(["审查员", "api.reviewer"])("removes old sessions of agents with a name such as %s", (agent) => {
		const file = sessionFile(dirname(writeSession()), agent, ID);
		writeFileSync(file, "{}\n");
		const past = new Date(Date.now() - 1e11);
		utimesSync(file, past, past);
		expect(sweepSessions({ home: home.home, maxAgeDays: 30 })).toBe(1);
		expect(existsSync(file)).toBe(false);
	});

	it("removes old answers when their session is gone, and no others", () => {
		const session = writeSession();
		const plan = { cwd: home.project, session: { id: ID, file: session, resumed: false } };
		const keep = (id: string, runId: string): string =>
			keepAnswer("long", { home: home.home, plan: { ...plan, session: { ...plan.session, id }, runId } });
		const gone = ID.replace("550e", "660f");
		const [kept, old, young] = [keep(ID, "aaaaaaaa"), keep(gone, "bbbbbbbb"), keep(gone, "cccccccc")];
		const past = new Date(Date.now() - 1e11);
		for (const file of [kept, old]) utimesSync(file, past, past);
		sweepSessions({ home: home.home, maxAgeDays: 30 });
		expect([kept, old, young].map((file) => existsSync(file))).toEqual([true, false, true]);
	});

	it("removes a directory for answers that has been empty for long, and none that was just made for a child", () => {
		const other = join(home.home, "other");
		mkdirSync(other);
		for (const cwd of [home.project, other]) prepareAnswersDirectory(home.home, cwd);
		const [young, old] = [home.project, other].map((cwd) => answersDirectory(home.home, cwd));
		const past = new Date(Date.now() - 1e11);
		utimesSync(old ?? "", past, past);
		sweepSessions({ home: home.home, maxAgeDays: 30 });
		expect([young, old].map((directory) => existsSync(directory ?? ""))).toEqual([true, false]);
	});

	it("removes a lock that was moved aside by a run that was killed just then, and no younger one", () => {
		const file = writeSession();
		const moved = (id: string): string => `${file}.lock.${id}`;
		const [old, young] = [moved(ID), moved(ID.replace("550e", "660f"))];
		for (const path of [old, young]) writeFileSync(path, "{}");
		const past = new Date(Date.now() - 60_000);
		utimesSync(old, past, past);
		sweepSessions({ home: home.home, maxAgeDays: 30 });
		expect(existsSync(old)).toBe(false);
		expect(existsSync(young)).toBe(true);
	});

	it("removes the lock of a run that was killed before it had a session, at the next run in that directory", () => {
		const file = writeSession();
		const orphaned = `${file.replace(ID, ID.replace("550e", "660f"))}.lock`;
		writeFileSync(orphaned, JSON.stringify({ pid: 2 ** 30, host: hostname(), nonce: "x" }));
		const lock = lockSession(file);
		sweepLocks(dirname(file));
		expect(existsSync(orphaned)).toBe(false);
		expect(existsSync(`${file}.lock`)).toBe(true);
		lock.release();
	});

	it("leaves a session alone that is being used", () => {
		const file = writeSession();
		const past = new Date(Date.now() - 1e11);
		utimesSync(file, past, past);
		const lock = lockSession(file);
		expect(sweepSessions({ home: home.home, maxAgeDays: 1 })).toBe(0);
		expect(existsSync(file)).toBe(true);
		lock.release();
	});
});
