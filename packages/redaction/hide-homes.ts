import { NO_USERS } from "./judgement/words/word-lists.ts";

export interface HomeOptions {
	/** The user's own home directory. Empty: every path stays as it is. */
	readonly home: string;
	/** The working tree. Where it is in the home directory of somebody else, its paths stay: `~` would lead elsewhere. */
	readonly cwd: string;
}

/** Shorter ones (`/`, `C:`) are part of too many other paths. */
const MINIMUM_HOME_LENGTH = 4;

/**
 * Shows home directories as `~`: the user's own, and those of others where systems put them. Only whole path components
 * count: with `/home/ann` as home, neither `/mnt/home/ann` nor `https://host/home/ann` changes.
 */
export function hideHomes(text: string, { home, cwd }: HomeOptions): string {
	if (home === "") return text;
	const directory = home.replace(/[\\/]{1,8}$/, "");
	const own =
		directory.length < MINIMUM_HOME_LENGTH || !/[\\/]/.test(directory)
			? text
			: replaceDirectory(replaceDirectory(text, directory), directory.replaceAll("\\", "\\\\"));
	return replaceOtherHomes(own, cwd);
}

function replaceDirectory(text: string, directory: string): string {
	return text.replaceAll(directory, (path, start: number) =>
		isWholePath(text, start, start + path.length) ? "~" : path,
	);
}

/** Linux, BSD, macOS, Windows, and how Git's shell and WSL write the latter. The group is the user's name. */
export const OTHER_HOME =
	/(?:(?:\/var|\/usr|\/export)?\/home\/|(?:\/mnt)?(?:\/[a-z])?\/Users\/)([A-Za-z0-9_][\w.@-]{0,63})|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)([A-Za-z0-9_][\w.@-]{0,63}(?: [\w.-]{1,40}){0,3}(?=[\\/])|[A-Za-z0-9_][\w.@-]{0,63})/g;

function replaceOtherHomes(text: string, cwd: string): string {
	if (!text.includes("/home/") && !text.includes("Users")) return text;
	const tree = OTHER_HOME.test(cwd) ? cwd : undefined;
	OTHER_HOME.lastIndex = 0;
	return text.replace(
		OTHER_HOME,
		(path, posix: string | undefined, windows: string | undefined, start: number) => {
			const name = (posix ?? windows ?? "").replace(/[.@-]{1,64}$/, "");
			const end = start + path.length - ((posix ?? windows ?? "").length - name.length);
			const isKept =
				NO_USERS.has(name.toLowerCase()) || !isWholePath(text, start, end) || isInTree(text, start, tree);
			return isKept ? path : `~${text.slice(end, start + path.length)}`;
		},
	);
}

function isInTree(text: string, start: number, tree: string | undefined): boolean {
	return (
		tree !== undefined && text.startsWith(tree, start) && !/[\w.-]/.test(text.charAt(start + tree.length))
	);
}

function isWholePath(text: string, start: number, end: number): boolean {
	const before = text.slice(Math.max(0, start - 3), start);
	const startsHere = !/[\w.~\-/\\@%]$/.test(before) || before.endsWith("://") || /\\[nrt]$/.test(before);
	return startsHere && /^(?:[^\w.\-@%]|\.?$|\.\s)/.test(text.slice(end, end + 2));
}
