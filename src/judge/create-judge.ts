import { release } from "node:os";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import {
	canonicalPath,
	expandHome,
	findRepositories,
	isInside,
	listAncestors,
	listIfThere,
	listOwnAncestors,
} from "@deputize/ground";
import type { FileRules } from "../contract/file-rules.ts";
import { answersDirectory } from "./answers-directory.ts";
import {
	CREDENTIALS_IN_HOME,
	CREDENTIALS_OF_PI,
	CREDENTIALS_OF_SYSTEM,
	HIDDEN_BY_CUSTOM,
	KERNEL_PLACES,
	PACKAGE_CACHES,
	SETTINGS_IN_CACHES,
	WINDOWS_USERS,
} from "./closed-places.ts";

export interface JudgeOptions extends Partial<FileRules> {
	readonly cwd: string;
	readonly home: string;
	readonly agentDirectory: string;
	/** Directories with Windows profiles, each of which is closed like the home directory; in WSL those it usually has. */
	readonly windowsUsers?: readonly string[];
}

/** Decides which file may be opened. It judges real paths: where something is, never how somebody spelled it. */
export interface Judge {
	readonly cwd: string;
	readonly home: string;
	/** Why a real path is closed, or undefined when it is open. Names the rule and the setting that changes it. */
	explain(realPath: string): string | undefined;
	/** Closed places in or below a real directory, as far as they are known by name. For searches and sandboxes. */
	closedBelow(realDirectory: string): readonly string[];
	/** The repository around the working directory, or that itself; undefined in the home directory and above it. */
	workingTree(): string | undefined;
	/** Places that are open although something around them is closed: the working tree, caches, what the user opened. */
	exceptions(): readonly string[];
}

const TO_OPEN = 'A user can open it with "subagents.readable" in deputize.json.';
const IS_WSL = process.platform === "linux" && /microsoft/i.test(release());
const IGNORES_CASE = process.platform === "darwin" || process.platform === "win32";
/** Drives of Windows, whatever the rest of the machine does. */
const WINDOWS_DRIVE = /^(?:\/mnt)?\/[a-z](?:\/|$)/i;
const MAX_HOME_ENTRIES = 2000;

export function createJudge(options: JudgeOptions): Judge {
	let places: Places | undefined;
	const load = (): Places => {
		places ??= findPlaces(options);
		return places;
	};
	return {
		cwd: options.cwd,
		home: options.home,
		explain: (path) => explainClosed(fold(path), load()),
		closedBelow: (directory) => listClosedBelow(fold(directory), load()),
		workingTree: () => load().tree,
		exceptions: () => listExceptions(load()),
	};
}

type Places = ReturnType<typeof findPlaces>;

const KERNEL: ReadonlySet<string> = new Set(KERNEL_PLACES);

function explainClosed(path: string, places: Places): string | undefined {
	// Asked for every file a search finds: a look at each directory above it, however many places there are.
	const around = [...listAncestors(path)];
	const isBelow = (closed: ReadonlySet<string>): boolean => around.some((at) => closed.has(at));
	if (isBelow(KERNEL)) return "it belongs to the kernel (/proc, /dev, /sys), which is always closed";
	if (isBelow(places.unreadable)) return '"subagents.unreadable" in deputize.json closes it';
	if (isBelow(places.readable)) return undefined;
	if (isBelow(places.credentials)) return `credentials or private records are kept there. ${TO_OPEN}`;
	if (places.tree !== undefined && isInside(places.tree, path)) return undefined;
	if (isBelow(places.caches))
		return SETTINGS_IN_CACHES.includes(basename(path))
			? `settings of a package manager can contain keys. ${TO_OPEN}`
			: undefined;
	const isClosed =
		isBelow(places.linked) ||
		places.homes.some((home) => isInside(home, path) && isHiddenPath(relative(home, path)));
	return isClosed
		? `hidden entries of the home directory are closed, except package caches and the working tree. ${TO_OPEN}`
		: undefined;
}

function isHiddenPath(way: string): boolean {
	const names = way.split(sep);
	return names.some((name) => name.startsWith(".")) || HIDDEN_BY_CUSTOM.map(fold).includes(names[0] ?? "");
}

function listClosedBelow(directory: string, places: Places): readonly string[] {
	const hiddenInHome = places.homes.flatMap((home) => listHidden(home).map((name) => join(home, name)));
	const known = [
		...KERNEL_PLACES,
		...places.unreadable,
		...places.credentials,
		...places.linked,
		...hiddenInHome,
	];
	return [...new Set(known)].filter(
		(path) => isInside(directory, path) && explainClosed(path, places) !== undefined,
	);
}

function listExceptions(places: Places): readonly string[] {
	const { tree, caches, readable } = places;
	return [...(tree === undefined ? [] : [tree]), ...caches, ...readable].filter(
		(path) => explainClosed(path, places) === undefined,
	);
}

function findPlaces(options: JudgeOptions) {
	const home = toReal(options.home);
	const agentDirectory = toReal(options.agentDirectory);
	const hidden = listHidden(home);
	// Most of the named places do not exist on any one machine, and need no look at the disk.
	const inHome = (name: string): string => {
		const exists = hidden.includes(name.split("/", 1)[0] ?? "");
		return exists ? toReal(join(home, name)) : fold(join(home, name));
	};
	const fromUser = (paths: readonly string[] = []): ReadonlySet<string> =>
		new Set(paths.map((path) => toReal(resolve(options.cwd, expandHome(path, options.home)))));
	const windowsUsers = options.windowsUsers ?? (IS_WSL ? WINDOWS_USERS : []);
	const windowsHomes = windowsUsers.flatMap((users) =>
		listIfThere(users).map((name) => toReal(join(users, name))),
	);
	return {
		/** The user's own first. */
		homes: [home, ...windowsHomes],
		tree: findWorkingTree(toReal(options.cwd), home),
		readable: new Set([...fromUser(options.readable), toReal(answersDirectory(options.home, options.cwd))]),
		unreadable: fromUser(options.unreadable),
		credentials: new Set([
			...CREDENTIALS_IN_HOME.map(inHome),
			...windowsHomes.flatMap((at) => CREDENTIALS_IN_HOME.map((name) => fold(join(at, name)))),
			...CREDENTIALS_OF_PI.map((name) => toReal(join(agentDirectory, name))),
			...CREDENTIALS_OF_SYSTEM.map(toReal),
		]),
		caches: new Set(PACKAGE_CACHES.map(inHome)),
		/** What is hidden in the home directory, where links of it lead, and pi's own directory. */
		linked: new Set([agentDirectory, ...hidden.map(inHome).filter((real) => isNarrow(real, home))]),
	};
}

/** A link to a directory of the system, or to one around the home directory, does not close all of that. */
function isNarrow(real: string, home: string): boolean {
	return !isInside(real, home) && dirname(real) !== parse(real).root;
}

/**
 * The repository around the working directory, or the directory itself. Undefined in the home directory and above it:
 * whoever works there does not mean everything that is hidden in it. Not one that a stranger put around it either.
 */
function findWorkingTree(cwd: string, home: string): string | undefined {
	if (isInside(cwd, home)) return undefined;
	return findRepositories(listOwnAncestors(cwd), home)[0] ?? cwd;
}

function listHidden(home: string): readonly string[] {
	return listIfThere(home)
		.filter((name) => name.startsWith(".") || HIDDEN_BY_CUSTOM.includes(name))
		.slice(0, MAX_HOME_ENTRIES);
}

function toReal(path: string): string {
	return fold(canonicalPath(path));
}

/** Two spellings of one name must not have two verdicts where the file system does not tell them apart. */
function fold(path: string): string {
	return IGNORES_CASE || (IS_WSL && WINDOWS_DRIVE.test(path)) ? path.toLowerCase() : path;
}
