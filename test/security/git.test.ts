import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWorkspaceIdentity } from "../../src/batch/queue/read-workspace-identity.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { readGitFacts } from "../../src/navigator/changes/read-git-facts.ts";
import { createTrapPlace, GIT_TRAPS, type TrapPlace } from "../helpers/git-traps.ts";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let place: TrapPlace;
let home: TestHome | undefined;
beforeEach(() => {
	place = createTrapPlace(mkdtempSync(join(tmpdir(), "deputize-git-")));
});
afterEach(() => {
	rmSync(place.root, { recursive: true, force: true });
	home?.remove();
	home = undefined;
});

const TASKS = [
	"Review my uncommitted changes.",
	"Review the last commit.",
	"Which commit changed `bake`, and who?",
];

const environment = (path = ""): Record<string, string> => ({
	PATH: `${path === "" ? "" : `${join(place.tree, path)}:`}${process.env["PATH"]}`,
	HOME: place.root,
});

const review = (task: string, cwd = place.tree, path = "") =>
	readGitFacts(task, {
		cwd,
		judge: createJudge({ cwd, home: join(place.root, "home"), agentDirectory: join(place.root, "agent") }),
		env: environment(path),
		projectTrusted: false,
	});

const hasRun = (): boolean => existsSync(join(place.root, "ran"));

describe("a program that a repository names", () => {
	it.each(GIT_TRAPS)("is not started by Git: $name", async (trap) => {
		trap.arm(place);
		rmSync(join(place.root, "ran"), { force: true });
		const cwd = join(place.tree, trap.cwd ?? "");
		const facts = [];
		for (const task of TASKS) facts.push(await review(task, cwd, trap.path));
		const identity = await readWorkspaceIdentity(cwd, environment(trap.path));
		expect(hasRun(), "the program ran").toBe(false);
		// It looked: otherwise a review that fails for another reason would pass.
		if (trap.refuses) expect(facts[0]?.problem ?? "").toMatch(trap.refuses);
		else expect(facts[0]?.changes?.files.map(({ path }) => path)).toContain("a.js");
		expect(identity).toMatch(/^[0-9a-f]{40}(:.*)?\+[0-9a-f]{16}$/);
		trap.control(place);
		expect(hasRun(), "the trap is one: an ordinary Git starts the program").toBe(true);
	});
});

describe("a repository that leads elsewhere", () => {
	const CHANGES = TASKS[0] ?? "";
	const words = async (): Promise<string> => (await review(CHANGES)).problem ?? "no problem";
	/** Another repository of the same user, in a place that is closed to children. */
	const hide = (): string => {
		const hidden = join(place.root, "home/.private");
		createTrapPlace(hidden).write("a.js", "private material\n");
		return join(hidden, "tree/.git");
	};

	it.each([
		["a gitdir file", (at: string) => writeFileSync(join(place.tree, ".git"), `gitdir: ${at}\n`)],
		["a link", (at: string) => symlinkSync(at, join(place.tree, ".git"))],
	])("into a closed place by %s is refused, and the place named", async (_name, lead) => {
		const closed = hide();
		rmSync(join(place.tree, ".git"), { recursive: true });
		lead(closed);
		expect(await words()).toContain(`leads to ${closed}`);
		expect(JSON.stringify(await review(TASKS[2] ?? ""))).not.toContain("Bread");
	});

	it.each([
		["commondir", (at: string) => place.write(".git/commondir", `${at}\n`)],
		["alternates", (at: string) => place.write(".git/objects/info/alternates", `${at}/objects\n`)],
		["linked refs", (at: string) => replaceByLink("refs", at)],
		["linked objects", (at: string) => replaceByLink("objects", at)],
	])("into a closed place by %s is refused, and the place named", async (_name, lead) => {
		const closed = hide();
		lead(closed);
		expect(await words()).toContain(`leads to ${closed}`);
	});
	const replaceByLink = (name: string, at: string): void => {
		rmSync(join(place.tree, ".git", name), { recursive: true });
		symlinkSync(join(at, name), join(place.tree, ".git", name));
	};

	it("into its files by a directory that became a link shows none of them", async () => {
		place.write("src/b.js", "one\n");
		place.git("add", ".");
		place.git("commit", "-qm", "src");
		rmSync(join(place.tree, "src"), { recursive: true });
		mkdirSync(join(place.root, "home"));
		writeFileSync(join(place.root, "home/b.js"), "private material\n");
		symlinkSync(join(place.root, "home"), join(place.tree, "src"));
		const { changes } = await review(CHANGES);
		expect(JSON.stringify(changes)).not.toContain("private");
		expect(changes?.files).toMatchObject([{ path: "src/b.js", isDeleted: true }]);
	});

	it("with grafts and replaced objects shows the history that was committed", async () => {
		place.write("a.js", "function bake() { two(); }\n");
		place.git("commit", "-qam", "Second");
		const [second = "", first = ""] = place.git("rev-list", "HEAD").split("\n");
		place.write(".git/info/grafts", `${second}\n`);
		expect(place.git("log", "--format=%s"), "an ordinary Git believes it").toBe("Second");
		expect((await review(TASKS[2] ?? "")).commits.map(({ subject }) => subject)).toEqual([
			"Second",
			"Bread is baked",
		]);
		rmSync(join(place.tree, ".git/info/grafts"));
		place.git("replace", first, second);
		expect((await review(TASKS[2] ?? "")).commits).toHaveLength(2);
	});
});

describe("a repository that cannot be read", () => {
	it("is not called missing: Git's own words are passed on", async () => {
		place.configure("[core\n");
		expect((await review(TASKS[0] ?? "")).problem).toMatch(/could not be read: git .*bad config line/s);
		await expect(readWorkspaceIdentity(place.tree, environment())).rejects.toThrow(/bad config line/);
	});

	it("for want of a commit or of an object says which", async () => {
		place.write(".git/HEAD", "ref: refs/heads/gone\n");
		expect((await review(TASKS[0] ?? "")).problem).toContain("has no commit yet");
		place.write(".git/HEAD", `${"0".repeat(39)}1\n`);
		expect((await review(TASKS[0] ?? "")).problem).toMatch(/could not be read: git \S+: fatal: /);
	});

	// Only root can make files of somebody else.
	it.skipIf(process.getuid?.() !== 0)(
		"because it is of another user is read when this one says so",
		async () => {
			place.write("a.js", "function bake() { changed(); }\n");
			chownSync(join(place.tree, ".git"), 65534, 65534);
			expect((await review(TASKS[0] ?? "")).problem).toMatch(
				/dubious ownership.*belongs to user 65534, and you are 0.*safe\.directory/s,
			);
			await expect(readWorkspaceIdentity(place.tree, environment())).rejects.toThrow(/dubious ownership/);
			writeFileSync(join(place.root, ".gitconfig"), `[safe]\n\tdirectory = ${place.tree}\n`);
			expect((await review(TASKS[0] ?? "")).changes?.files).toHaveLength(1);
		},
	);
});

describe("the review of somebody with settings of their own", () => {
	it.each(["auto", "off"])("finds the repository, sandbox %s", async (sandbox) => {
		home = createTestHome();
		home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ subagents: { sandbox } }));
		// An ordinary file: in the sandbox it is covered, and reading it fails.
		home.write(join(home.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = a@b\n");
		place.write("a.js", "function bake() { changed(); }\n");
		const run = await runCli(["run", "reviewer", "Review my uncommitted changes", "--offline"], {
			cwd: place.tree,
			env: home.env,
		});
		expect(run.stdout).toContain("uncommitted changes: 1 lines added, 1 removed in `a.js`");
	});
});
