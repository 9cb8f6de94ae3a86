import { mkdirSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { defined, type Environment, writeAtomically } from "@deputize/ground";
import { findExecutable } from "../process/find-executable.ts";
import { runCommand } from "../process/run-command.ts";
import { buildGitEnvironment } from "./build-git-environment.ts";
import type { WrapCommand } from "./confine-git.ts";
import { GitError } from "./git-error.ts";
import { toGitError } from "./open-repository.ts";

/** Files that Git looks at for a store: a directory, and what a program is started with to see it. */
export interface FileView {
	readonly top: string;
	readonly wrap?: WrapCommand | undefined;
	/**
	 * Whether the notes of size and time in an index were made of these files, and not of those below a layer: then the time
	 * of their last change counts too, which nobody can set.
	 */
	readonly isExact: boolean;
	/**
	 * They are a child's, and with them the repository that objects would be borrowed from: what is new is stored, whatever is
	 * said to be there.
	 */
	readonly isForeign?: boolean;
	/** Starts a program that can write to the store and to nothing else, and sees no layer. */
	readonly apart?: WrapCommand | undefined;
}

interface StoreCall {
	readonly input?: string | Uint8Array;
	readonly maxBytes?: number;
	readonly timeoutMs?: number;
	/** Name of an index in the store's directory; `index` unless it says another. */
	readonly index?: string;
	readonly view?: FileView;
	readonly signal?: AbortSignal | undefined;
	/** Nothing is borrowed. */
	readonly isAlone?: boolean;
	/** Of a script: `"$1"` and so on. */
	readonly args?: readonly string[];
	/** Exit codes that are an answer too. */
	readonly isFine?: (exitCode: number) => boolean;
}

/**
 * A Git repository of our own, without a work tree, a branch or a setting of anybody. It borrows objects from a repository of
 * the user, which is not written to. Contents are stored as they are: no filter, no conversion, no hook, whatever the files
 * it is shown say.
 */
export interface Store {
	readonly directory: string;
	/** Rejects with a `GitError`. */
	git(args: readonly string[], call?: StoreCall): Promise<Buffer>;
	/** A shell script in which `"$0"` is Git. */
	script(text: string, call?: StoreCall): Promise<Buffer>;
}

interface StorePlace {
	readonly directory: string;
	readonly env: Environment;
	/** Where objects are borrowed, as Git sees them. */
	readonly borrowed?: readonly string[];
}

const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 600_000;

/** Wins over every file of attributes in a tree. */
const ATTRIBUTES =
	"* -text -filter -ident -working-tree-encoding !eol !crlf !diff !merge !conflict-marker-size\n";

export interface StoreSettings {
	readonly objectFormat: "sha1" | "sha256";
	/** Rules of what is ignored, besides those in the tree. */
	readonly excludes: string;
	readonly hasFileModes: boolean;
}

/** Makes a store in a directory that does not exist. */
export function createStore(directory: string, settings: StoreSettings): void {
	for (const name of ["objects/pack", "refs", "info"])
		mkdirSync(join(directory, name), { recursive: true, mode: 0o700 });
	writeAtomically(join(directory, "HEAD"), "ref: refs/heads/none\n");
	writeAtomically(join(directory, "config"), renderConfig(settings));
	writeAtomically(join(directory, "info", "attributes"), ATTRIBUTES);
	writeAtomically(join(directory, "info", "exclude"), settings.excludes);
}

function renderConfig({ objectFormat, hasFileModes }: StoreSettings): string {
	const isOther = objectFormat !== "sha1";
	const rows = [
		...[
			"[core]",
			`repositoryformatversion = ${isOther ? 1 : 0}`,
			"bare = false",
			`filemode = ${hasFileModes}`,
		],
		...["autocrlf = false", "safecrlf = false", "compression = 1", "bigFileThreshold = 32m"],
		// What is kept is one file, and that is on the disk before anything else is removed. To wait for the disk with every
		// object takes longer than everything else.
		"fsync = pack,pack-metadata",
		...["[gc]", "auto = 0"],
		...(isOther ? ["[extensions]", `objectFormat = ${objectFormat}`] : []),
	];
	return rows.map((row) => `${row}\n`).join("");
}

export function openStore({ directory, env, borrowed = [] }: StorePlace): Store {
	const plain = buildGitEnvironment({ top: dirname(directory), gitDirectory: directory }, env);
	const program = findExecutable("git", plain);
	if (program === undefined) throw new GitError("git was not found on PATH. Install Git.");
	const run = async (command: string, args: readonly string[], call: StoreCall): Promise<Buffer> => {
		const { input, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, view, signal, isFine } = call;
		const ending = await runCommand({
			...(view?.wrap?.(command, args) ?? { command, args }),
			cwd: view === undefined || view.wrap !== undefined ? parse(directory).root : view.top,
			env: buildStoreEnvironment(plain, { directory, borrowed, call }),
			timeoutMs,
			maxStdoutBytes: maxBytes,
			...defined({ input, signal }),
		});
		const { reason, exitCode, stdout } = ending;
		if (reason === "exit" && (exitCode === 0 || isFine?.(exitCode ?? -1) === true)) return stdout;
		const script = command === program ? undefined : args[1];
		throw toGitError(script === undefined ? args.slice(1) : [nameCommand(script)], ending);
	};
	return {
		directory,
		git: (args, call = {}) => run(program, ["--no-pager", ...args], call),
		script: (text, call = {}) => run("/bin/sh", ["-c", text, program, ...(call.args ?? [])], call),
	};
}

/** Of a script, the first thing that it asks Git: nobody wants to read all of it. */
function nameCommand(script: string): string {
	return /"\$0" ([a-z-]+)/.exec(script)?.[1] ?? "script";
}

function buildStoreEnvironment(
	plain: Readonly<Record<string, string>>,
	{ directory, borrowed, call }: { directory: string; borrowed: readonly string[]; call: StoreCall },
): Record<string, string> {
	const { index = "index", view } = call;
	const isExact = view?.isExact === true;
	const lenders = view?.isForeign === true || call.isAlone === true ? [] : borrowed;
	return {
		...addSettings(plain, {
			"core.checkStat": isExact ? "default" : "minimal",
			"core.trustctime": String(isExact),
		}),
		GIT_INDEX_FILE: join(directory, index),
		...(lenders.length === 0
			? {}
			: { GIT_ALTERNATE_OBJECT_DIRECTORIES: lenders.map(quoteAlternate).join(":") }),
		...(view === undefined ? {} : { GIT_WORK_TREE: view.top }),
	};
}

/** A path that begins with a quote, or has a colon in it, is taken apart otherwise. */
function quoteAlternate(path: string): string {
	return `"${path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** More settings after those that are numbered already. */
function addSettings(
	env: Readonly<Record<string, string>>,
	settings: Readonly<Record<string, string>>,
): Record<string, string> {
	const first = Number(env["GIT_CONFIG_COUNT"]);
	const added = Object.entries(settings).flatMap(([name, value], at) => [
		[`GIT_CONFIG_KEY_${first + at}`, name],
		[`GIT_CONFIG_VALUE_${first + at}`, value],
	]);
	return {
		...env,
		...(Object.fromEntries(added) as Record<string, string>),
		GIT_CONFIG_COUNT: String(first + Object.keys(settings).length),
	};
}
