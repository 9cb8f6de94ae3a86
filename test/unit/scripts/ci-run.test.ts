import { execFileSync, spawnSync } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

/**
 * `.ci/run` with programs of the system that only note what they are asked: a user of its own is made, everything runs as
 * that user, and nothing of it is left, however it ends.
 */
let root: string;
let programs: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "deputize-ci-"));
	programs = join(root, "bin");
	mkdirSync(join(root, "repository", ".ci"), { recursive: true });
	mkdirSync(programs);
	copyFileSync(join(import.meta.dirname, "../../../.ci/run"), join(root, "repository/.ci/run"));
	execFileSync("git", ["init", "-q"], { cwd: join(root, "repository") });
	const author = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
	execFileSync("git", ["add", "."], { cwd: join(root, "repository") });
	execFileSync("git", [...author, "commit", "-qm", "x"], { cwd: join(root, "repository") });
	for (const name of ["dpkg", "chown", "ps"]) writeProgram(name, "");
	writeProgram("getent", `echo "u:x:1:1::${root}/home:/bin/sh"`);
	writeProgram("useradd", `mkdir -p ${root}/home; note "useradd"`);
	writeProgram("userdel", `rm -rf ${root}/home; note "userdel"`);
	writeProgram("runuser", `shift 3; RAN_AS=user exec "$@"`);
	writeProgram("find", "");
	writeProgram("node", "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeProgram(name: string, body: string): void {
	const note = `note() { echo "\${RAN_AS:-root}: $*" >>"${root}/notes"; }`;
	writeFileSync(join(programs, name), `#!/usr/bin/env bash\n${note}\n${body}\n`, { mode: 0o755 });
}

function runCi(
	user: "root" | "somebody",
	{ answer = "echo '**Most likely:** `src/delegation/filter-tools.ts:86`'", npm = "" } = {},
) {
	writeProgram("id", `echo ${user === "root" ? 0 : 1000}`);
	writeProgram(
		"npm",
		`note "npm $* in $PWD, CI=$CI, HOME=$HOME"\ncase "$*" in *explorer*) ${answer};; esac\n${npm}`,
	);
	const { status, stderr } = spawnSync("bash", [join(root, "repository/.ci/run")], {
		env: { PATH: `${programs}:/usr/bin:/bin`, HOME: join(root, "roots-home"), LANG: "C.UTF-8" },
		encoding: "utf8",
	});
	const notes = readFileSync(join(root, "notes"), "utf8").replaceAll(root, "").trim().split("\n");
	return { status, stderr, notes };
}

const asUser = (words: string) =>
	expect.stringContaining(`user: npm ${words} in /home/a clöne, CI=true, HOME=/home`);

it("CI runs both commands of the README and the checks as a user it makes, and as root only what nobody else can", () => {
	const { status, notes } = runCi("root");
	expect(status).toBe(0);
	expect(notes.filter((note) => !note.includes("npm config"))).toEqual([
		"root: useradd",
		asUser("--silent start -- run explorer Where is the tool list of a child decided?"),
		expect.stringMatching(/^root: npm test -- -t row 45.* in \/home\/a clöne/),
		asUser("test"),
		asUser("run --silent check"),
		"root: userdel",
	]);
});

it("CI keeps the exit code of a failure, and removes the user all the same", () => {
	const { status, notes } = runCi("root", { npm: '[ "$1" != test ] || exit 7' });
	expect(status).toBe(7);
	expect(notes.at(-1)).toBe("root: userdel");
	expect(existsSync(join(root, "home"))).toBe(false);
});

it("CI fails when a process or a file of the tests is left behind", () => {
	writeProgram("ps", 'echo "999999999 sleep 600"');
	const { status, stderr } = runCi("root");
	expect(status).toBe(1);
	expect(stderr).toContain("left behind:\n999999999 sleep 600");
});

it("CI fails when the first command of the README does not name the right place first", () => {
	const { status, stderr } = runCi("root", {
		answer: "echo '**Most likely:** `src/delegation/decide-child.ts:19`'",
	});
	expect(status).toBe(1);
	expect(stderr).toContain(
		"did not name filter-tools.ts first:\n**Most likely:** `src/delegation/decide-child.ts:19`",
	);
});

it("CI just runs where it is an ordinary user already", () => {
	const { status, notes } = runCi("somebody");
	expect(status).toBe(0);
	expect(notes).toEqual([
		expect.stringContaining("root: npm --silent start -- run explorer"),
		expect.stringContaining("root: npm test in /repository, CI=true"),
		expect.stringContaining("root: npm run --silent check"),
	]);
});
