import { join } from "node:path";
import { canonicalPath, defined, isInside } from "@deputize/ground";
import {
	ASKS_FOR_HISTORY,
	type ChangedFile,
	type Changes,
	type Commit,
	extractTerms,
	type GitFacts,
	parseDiff,
	readTreeFile,
} from "@deputize/navigator";
import type { Judge } from "../../judge/create-judge.ts";
import { createOpenTest } from "../../judge/create-open-test.ts";
import { PLAIN_DIFF, runGit } from "../../process/run-git.ts";
import { type LintPlace, runLinters } from "./run-linters.ts";

export interface GitPlace extends LintPlace {
	readonly judge: Judge;
}

const MAX_COMMITS = 500;
const MAX_UNTRACKED = 50;
const MAX_TOUCHING = 50;
const MAX_DIFF_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const SPEAKS_OF_CHANGES =
	/\b(?:uncommitted|unstaged|staged|working tree|work tree|(?:my|the|these|this|last|latest|recent|current) (?:\w+ )?(?:changes?|diff|commit|patch|edits?)|diff\b|changed (?:files|code|lines)|what (?:i|was|has been) changed)/i;
const NAMED_COMMIT = /\bcommit\s+([0-9a-f]{7,40})\b/i;
const LAST_COMMIT = /\b(?:last|latest|previous|newest) commit\b/i;
const SINCE = /\b(?:since|against|compared (?:to|with)|from)\s+(?:branch\s+)?([\w./-]{2,80})\b/i;

/** Never rejects: without Git or a repository there are no facts. */
export async function readGitFacts(task: string, place: GitPlace): Promise<GitFacts> {
	const here = { ...place, cwd: canonicalPath(place.cwd) };
	const pasted = parseDiff(task);
	const top = await git(here, ["rev-parse", "--show-toplevel"]);
	// A repository can name another directory as its tree: what is not around us is not ours to show.
	const isOurs = top !== undefined && isInside(canonicalPath(top.trim()), here.cwd);
	const commits = isOurs ? await readCommits(here) : [];
	const changes = pasted
		? { title: "the diff in the task", files: pasted }
		: isOurs && SPEAKS_OF_CHANGES.test(task)
			? await readChanges(task, here)
			: undefined;
	const touching = isOurs && ASKS_FOR_HISTORY.test(task) ? await readTouching(task, here) : undefined;
	const isOpen = createOpenTest(here.cwd, place.judge);
	const open = changes && { ...changes, files: changes.files.filter(({ path }) => isOpen(path)) };
	const lint = open && (await runLinters(open.files, here));
	const problem =
		changes === undefined && SPEAKS_OF_CHANGES.test(task)
			? `There is no Git repository with a commit around ${place.cwd}, and the task contains no diff.`
			: undefined;
	return { commits, ...defined({ changes: open, lint, touching, problem }) };
}

async function readCommits(place: GitPlace): Promise<Commit[]> {
	const text = await git(place, [
		...["log", `--max-count=${MAX_COMMITS}`, "--no-merges", "--relative", "--name-only", "--no-renames"],
		...["--no-show-signature", "--date=short", "--format=%x00%h%x01%an%x01%ad%x01%s"],
	]);
	return (text ?? "")
		.split("\0")
		.slice(1)
		.map((block) => {
			const [head = "", ...files] = block.split("\n").filter((line) => line !== "");
			const [hash = "", author = "", date = "", subject = ""] = head.split("\u0001");
			return { hash, author, date, subject, files };
		})
		.filter(({ files }) => files.length > 0);
}

/** Commits that added or removed a line with the name the task is about. */
async function readTouching(task: string, place: GitPlace): Promise<GitFacts["touching"]> {
	const name = extractTerms(task).terms.find(({ kind }) => kind === "symbol")?.text;
	if (name === undefined) return undefined;
	const text = await git(place, [
		...["log", `--max-count=${MAX_TOUCHING}`, "--no-merges", "--relative", "--format=%h"],
		...[...PLAIN_DIFF, "--no-patch"],
		...["-G", `(^|[^A-Za-z0-9_$])${name.replace(/[^A-Za-z0-9_]/g, "[$&]")}($|[^A-Za-z0-9_$])`, "--", "."],
	]);
	return text === undefined ? undefined : { name, hashes: text.split("\n").filter((hash) => hash !== "") };
}

async function readChanges(task: string, place: GitPlace): Promise<Changes | undefined> {
	const readDiff = async (title: string, args: readonly string[]): Promise<Changes | undefined> => {
		const text = await git(place, [...args, ...PLAIN_DIFF, "--relative", "--unified=0"]);
		return text === undefined ? undefined : { title, files: parseDiff(text) ?? [] };
	};
	const named = NAMED_COMMIT.exec(task)?.[1] ?? (LAST_COMMIT.test(task) ? "HEAD" : undefined);
	if (named !== undefined) return readDiff(`commit ${named}`, ["show", "--format=", named]);
	const since = SINCE.exec(task)?.[1];
	const base = since && (await git(place, ["rev-parse", "--verify", "--quiet", `${since}^{commit}`]));
	if (base) return readDiff(`changes since ${since}`, ["diff", `${base.trim()}...HEAD`]);
	const changes = await readDiff("uncommitted changes", ["diff", "HEAD"]);
	return changes && { ...changes, files: [...changes.files, ...(await readUntracked(place))] };
}

/** New files that Git does not track yet: all of their lines are new. */
async function readUntracked(place: GitPlace): Promise<ChangedFile[]> {
	const text = await git(place, ["ls-files", "--others", "--exclude-standard"]);
	return (text ?? "")
		.split("\n")
		.filter((path) => path !== "")
		.slice(0, MAX_UNTRACKED)
		.map((path) => {
			const lines = (readTreeFile(join(place.cwd, path))?.text ?? "").split("\n");
			const added = lines.map((line, at) => ({ line: at + 1, text: line }));
			return { path, added, removed: [], isDeleted: false };
		});
}

async function git({ cwd, env, signal }: GitPlace, args: readonly string[]): Promise<string | undefined> {
	const ending = await runGit({
		args,
		cwd,
		env,
		timeoutMs: TIMEOUT_MS,
		maxStdoutBytes: MAX_DIFF_BYTES,
		...defined({ signal }),
	});
	return ending.reason === "exit" && ending.exitCode === 0 ? ending.stdout.toString("utf8") : undefined;
}
