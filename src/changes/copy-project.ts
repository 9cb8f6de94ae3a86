import {
	chmodSync,
	constants,
	copyFileSync,
	lstatSync,
	mkdirSync,
	readlinkSync,
	symlinkSync,
	utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, sleep } from "@deputize/ground";
import { lookAt, toPath } from "../git/look-at.ts";
import type { Store } from "../git/open-store.ts";

const PAUSE_EVERY = 500;

/**
 * A private copy of everything that the store's index names: tracked, changed and new files. On a file system that can, a
 * copy shares its bytes with the file until one of them is changed.
 */
export async function copyProject(store: Store, project: string, copy: string): Promise<void> {
	mkdirSync(copy, { mode: lstatSync(project).mode & 0o777 });
	const made = new Set<string>();
	const listed = (await store.git(["ls-files", "-z", "--stage"])).toString("latin1").split("\0").slice(0, -1);
	for (const [at, line] of listed.entries()) {
		if (at % PAUSE_EVERY === PAUSE_EVERY - 1) await sleep(0);
		const raw = line.slice(line.indexOf("\t") + 1);
		// A submodule is a repository of its own.
		if (line.startsWith("160000")) continue;
		makeDirectories(dirname(raw), { project, copy, made });
		try {
			copyEntry(toPath(project, raw), toPath(copy, raw));
		} catch (error) {
			// It went away, or was never there: a sparse checkout.
			if (!["ENOENT", "ENOTDIR", "EISDIR"].includes(codeOf(error) ?? "")) throw error;
		}
	}
}

function copyEntry(from: Buffer, to: Buffer): void {
	const entry = lstatSync(from);
	if (entry.isSymbolicLink()) {
		symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
		return;
	}
	if (!entry.isFile()) return;
	copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
	chmodSync(to, entry.mode & 0o777);
	utimesSync(to, entry.atime, entry.mtime);
}

function makeDirectories(
	raw: string,
	place: { readonly project: string; readonly copy: string; readonly made: Set<string> },
): void {
	if (raw === "." || place.made.has(raw)) return;
	makeDirectories(dirname(raw), place);
	const mode = Number(lookAt(place.project, raw)?.mode ?? 0o755n);
	mkdirSync(toPath(place.copy, raw), { recursive: true, mode: (mode & 0o777) | 0o700 });
	place.made.add(raw);
}

/** What a copy leaves out and a build or a test needs: packages, environments, caches. From the top, no links among them. */
export async function listLeftOut(
	store: Store,
	project: string,
	maxCount: number,
): Promise<readonly string[]> {
	const listed = await store.git(
		["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
		{ view: { top: project, isExact: false } },
	);
	const names = listed.toString("utf8").split("\0").slice(0, -1);
	return [".git", ...names.map((name) => name.replace(/\/$/, ""))]
		.map((name) => join(project, name))
		.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false)
		.slice(0, maxCount);
}
