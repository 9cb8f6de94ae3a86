import { join } from "node:path";
import { canonicalPath, defined, messageOf } from "@deputize/ground";
import {
	ASKS_FOR_HISTORY,
	type ChangedFile,
	type Changes,
	type Commit,
	compareTexts,
	extractTerms,
	type GitFacts,
	MAX_FILE_BYTES,
	MAX_LINES,
	parseDiff,
	readTreeFile,
} from "@deputize/navigator";
import { listWorkChanges, type WorkChange } from "../../git/list-work-changes.ts";
import { type GitPlace, openRepository, type Repository } from "../../git/open-repository.ts";
import { readBlobs } from "../../git/read-blobs.ts";
import type { Judge } from "../../judge/create-judge.ts";
import { createOpenTest } from "../../judge/create-open-test.ts";
import { listTreeFiles } from "../list-tree-files.ts";
import { type LintPlace, runLinters } from "./run-linters.ts";

interface ReviewPlace extends LintPlace, Pick<GitPlace, "wrap"> {
	readonly judge: Judge;
}

const MAX_COMMITS = 500;
const MAX_UNTRACKED = 50;
const MAX_TOUCHING = 50;
const MAX_DIFF_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const SPEAKS_OF_CHANGES =
	/\b(?:uncommitted|unstaged|staged|working tree|work tree|(?:my|the|these|this|last|latest|recent|current) (?:\w+ )?(?:changes?|diff|commit|patch|edits?)|diff\b|changed (?:files|code|lines)|what (?:i|was|has been) changed)/i;
const NAMED_COMMIT = /\bcommit\s+([0-9a-f]{7,40})\b/i;
const LAST_COMMIT = /\b(?:last|latest|previous|newest) commit\b/i;
const SINCE = /\b(?:since|against|compared (?:to|with)|from)\s+(?:branch\s+)?([\w./-]{2,80})\b/i;

/** For every command that shows a difference. */
const PLAIN_DIFF = [
	...["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all"],
	"--no-show-signature",
];

/** Never rejects: without Git or a repository there are no facts, and `problem` says why. */
export async function readGitFacts(task: string, place: ReviewPlace): Promise<GitFacts> {
	const here = { ...place, cwd: canonicalPath(place.cwd) };
	const pasted = parseDiff(task);
	const isOpen = createOpenTest(here.cwd, place.judge);
	const known = await readRepositoryFacts(task, here, pasted === undefined, isOpen).catch(
		(error: unknown): GitFacts => ({
			commits: [],
			problem: `The Git repository around ${place.cwd} could not be read: ${messageOf(error)}`,
		}),
	);
	const changes = pasted ? { title: "the diff in the task", files: pasted } : known.changes;
	const open = changes && { ...changes, files: changes.files.filter(({ path }) => isOpen(path)) };
	const lint = open && (await runLinters(open.files, here));
	return { ...known, ...defined({ changes: open, lint }) };
}

async function readRepositoryFacts(
	task: string,
	{ cwd, env, signal, wrap, judge }: ReviewPlace,
	wantsChanges: boolean,
	isOpen: (path: string) => boolean,
): Promise<GitFacts> {
	const repository = await openRepository({
		directory: cwd,
		env,
		signal,
		wrap,
		timeoutMs: TIMEOUT_MS,
		explainClosed: (path) => judge.explain(path),
	});
	const speaksOfChanges = wantsChanges && SPEAKS_OF_CHANGES.test(task);
	if (repository?.head === undefined) {
		const missing = repository
			? `The Git repository ${repository.top} has no commit yet`
			: `There is no Git repository around ${cwd}`;
		return { commits: [], ...(speaksOfChanges && { problem: `${missing}, and the task contains no diff.` }) };
	}
	const commits = await readCommits(repository);
	const changes = speaksOfChanges ? await readChanges(task, repository, { cwd, isOpen, signal }) : undefined;
	const touching = ASKS_FOR_HISTORY.test(task) ? await readTouching(task, repository) : undefined;
	return { commits, ...defined({ changes, touching }) };
}

/** For commands that list commits: only what is below the directory, named from there. */
function limitTo({ prefix }: Repository): readonly string[] {
	return prefix === "" ? [] : [`--relative=${prefix}`, "--", prefix];
}

async function readCommits(repository: Repository): Promise<Commit[]> {
	const text = await repository.git([
		...["log", `--max-count=${MAX_COMMITS}`, "--no-merges", "--name-only", ...PLAIN_DIFF],
		...["--date=short", "--format=%x00%h%x01%an%x01%ad%x01%s", ...limitTo(repository)],
	]);
	return text
		.toString("utf8")
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
async function readTouching(task: string, repository: Repository): Promise<GitFacts["touching"]> {
	const name = extractTerms(task).terms.find(({ kind }) => kind === "symbol")?.text;
	if (name === undefined) return undefined;
	const text = await repository.git([
		...["log", `--max-count=${MAX_TOUCHING}`, "--no-merges", "--format=%h", ...PLAIN_DIFF, "--no-patch"],
		`-G(^|[^A-Za-z0-9_$])${name.replace(/[^A-Za-z0-9_]/g, "[$&]")}($|[^A-Za-z0-9_$])`,
		...limitTo(repository),
	]);
	return {
		name,
		hashes: text
			.toString("utf8")
			.split("\n")
			.filter((hash) => hash !== ""),
	};
}

interface ChangesPlace {
	readonly cwd: string;
	readonly isOpen: (path: string) => boolean;
	readonly signal: AbortSignal | undefined;
}

async function readChanges(task: string, repository: Repository, place: ChangesPlace): Promise<Changes> {
	const { prefix, git } = repository;
	const readDiff = async (title: string, commits: readonly string[]): Promise<Changes> => {
		const text = await git(
			[
				...["diff-tree", "--root", "-r", "-p", "--no-commit-id", "--unified=0", ...PLAIN_DIFF],
				...(prefix === "" ? [] : [`--relative=${prefix}`]),
				...commits,
				"--",
			],
			{ maxBytes: MAX_DIFF_BYTES },
		);
		return { title, files: parseDiff(text.toString("utf8")) ?? [] };
	};
	const named = NAMED_COMMIT.exec(task)?.[1] ?? (LAST_COMMIT.test(task) ? "HEAD" : undefined);
	if (named !== undefined) return readDiff(`commit ${named}`, [named]);
	const since = SINCE.exec(task)?.[1];
	const base = since && (await findMergeBase(repository, since));
	if (base) return readDiff(`changes since ${since}`, [base, "HEAD"]);
	return { title: "uncommitted changes", files: await readUncommitted(repository, place) };
}

/** Undefined for a word that names no commit: "since Tuesday". */
async function findMergeBase({ git }: Repository, name: string): Promise<string | undefined> {
	try {
		const commit = await git(["rev-parse", "--verify", "--end-of-options", `${name}^{commit}`]);
		return (await git(["merge-base", commit.toString("utf8").trim(), "HEAD"])).toString("utf8").trim();
	} catch {
		return undefined;
	}
}

/** Of tracked files and of new ones, whose lines are all new. */
async function readUncommitted(
	repository: Repository,
	{ cwd, isOpen, signal }: ChangesPlace,
): Promise<ChangedFile[]> {
	const { prefix } = repository;
	const listed = await listTreeFiles(cwd, signal);
	const all = await listWorkChanges(repository, {
		files: listed.map((path) => `${prefix}${path}`),
		below: prefix,
		isExact: false,
		timeoutMs: TIMEOUT_MS,
	});
	const kept = leaveOutMoved(all).filter(({ path }) => isOpen(path.slice(prefix.length)));
	const isNew = ({ before }: WorkChange): boolean => before === undefined;
	const changes = [...kept.filter((change) => !isNew(change)), ...kept.filter(isNew).slice(0, MAX_UNTRACKED)];
	const blobs = await readBlobs(
		repository,
		changes.flatMap(({ before }) => before ?? []),
		MAX_FILE_BYTES,
	);
	const files: ChangedFile[] = [];
	let lines = 0;
	for (const { path, before, after } of changes) {
		const old = before === undefined ? "" : toTextUnlessBinary(blobs.get(before));
		const fresh = after === undefined ? undefined : readTreeFile(join(repository.top, path))?.text;
		// Links, pictures and bundles have no lines to look at.
		if (old === undefined || (fresh === undefined && after !== undefined)) continue;
		const file = compareTexts(path.slice(prefix.length), old, fresh);
		lines += file.added.length + file.removed.length;
		if (lines > MAX_LINES) break;
		if (file.added.length + file.removed.length > 0) files.push(file);
	}
	return files;
}

/** A file that only has another name now is no change to look at. */
function leaveOutMoved(changes: readonly WorkChange[]): readonly WorkChange[] {
	const gone = new Set(changes.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])));
	const fresh = new Set(changes.flatMap(({ before, after }) => (before === undefined ? (after ?? []) : [])));
	return changes.filter(({ before, after }) => {
		if (after === undefined) return before === undefined || !fresh.has(before);
		return before !== undefined || !gone.has(after);
	});
}

/** Undefined for what is no text. */
function toTextUnlessBinary(bytes: Buffer | undefined): string | undefined {
	return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString("utf8");
}
