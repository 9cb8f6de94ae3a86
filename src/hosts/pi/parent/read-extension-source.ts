import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const MAX_FILES = 200;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
const MAX_FOLDERS = 200;
const MAX_PARENTS = 4;
const SOURCE = /\.[cm]?[jt]sx?$/;
const PASSED_OVER = /^(?:node_modules|\..*)$/;

interface ExtensionSource {
	readonly text: string;
	/** False when there is more than was read: nothing can be said then about what is not in the text. */
	readonly isComplete: boolean;
}

/**
 * All an extension consists of, apart from packages it depends on: its one file, or every source of the
 * package or folder it is the entry of. Extensions may be minified, split over files or both.
 */
export function readExtensionSource(file: string): ExtensionSource {
	try {
		return readSources(listSources(file));
	} catch {
		return { text: "", isComplete: false };
	}
}

function readSources(files: readonly string[]): ExtensionSource {
	const texts: string[] = [];
	let room = MAX_TOTAL_BYTES;
	for (const file of files.slice(0, MAX_FILES)) {
		room -= statSync(file).size;
		if (room < 0) return { text: texts.join("\n"), isComplete: false };
		texts.push(readFileSync(file, "utf8"));
	}
	return { text: texts.join("\n"), isComplete: files.length <= MAX_FILES };
}

function listSources(file: string): readonly string[] {
	if (statSync(file).isDirectory()) return listFolder(file);
	const folder = findPackageDirectory(dirname(file)) ?? (isIndex(file) ? dirname(file) : undefined);
	return folder === undefined ? [file] : [...new Set([file, ...listFolder(folder)])];
}

/** The nearest folder with a manifest. pi's own directory has none, so a lone file stays alone. */
function findPackageDirectory(start: string): string | undefined {
	let directory = start;
	for (let depth = 0; depth < MAX_PARENTS; depth += 1) {
		if (existsSync(join(directory, "package.json"))) return directory;
		if (directory.endsWith("node_modules") || directory.endsWith("extensions")) return undefined;
		directory = dirname(directory);
	}
	return undefined;
}

function isIndex(file: string): boolean {
	return /^index\.[cm]?[jt]sx?$/.test(file.slice(dirname(file).length + 1));
}

/** One file more than is read is enough to know that there are more. */
function listFolder(directory: string): readonly string[] {
	const files: string[] = [];
	const folders = [directory];
	for (let visited = 0; visited < MAX_FOLDERS && files.length <= MAX_FILES; visited += 1) {
		const folder = folders.shift();
		if (folder === undefined) break;
		for (const entry of readdirSync(folder, { withFileTypes: true })) {
			if (entry.isDirectory() && !PASSED_OVER.test(entry.name)) folders.push(join(folder, entry.name));
			else if (entry.isFile() && SOURCE.test(entry.name)) files.push(join(folder, entry.name));
		}
	}
	return files;
}

/** What an extension listens to in order to refuse or change a tool call. */
const GATE_EVENT = "tool_call";

/**
 * The user's own gates: extensions that look at tool calls before they run. A child that may write loads them, so that
 * what is refused in the parent is not done by a child. pi does not say who listens to what, so the sources are
 * searched; what cannot be ruled out counts as a gate.
 */
export function chooseGates(candidates: readonly string[]): readonly string[] {
	return candidates.filter((file) => {
		const { text, isComplete } = readExtensionSource(file);
		return !isComplete || text.includes(GATE_EVENT);
	});
}
