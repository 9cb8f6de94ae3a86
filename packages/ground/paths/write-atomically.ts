import { randomUUID } from "node:crypto";
import {
	closeSync,
	fchmodSync,
	fsyncSync,
	linkSync,
	lstatSync,
	openSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { checkOwnFile } from "./check-own-file.ts";
import {
	type DirectoryOptions,
	type OpenedDirectory,
	openOwnDirectory,
	readIfLink,
	refuseLink,
} from "./open-own-directory.ts";
import { RefusedPathError } from "./refused-path-error.ts";

interface WriteOptions extends DirectoryOptions {
	/** Refuses to replace a file that is there. */
	readonly isNew?: boolean;
	/** Otherwise for the user alone. */
	readonly mode?: number;
}

/** Replaces a private file as a whole: whoever reads it meanwhile sees the old content or the new one, never a part. */
export function writeAtomically(
	file: string,
	content: string | Uint8Array,
	options: WriteOptions = {},
): void {
	const writing = openReplacement(file, options);
	try {
		writeFileSync(writing.descriptor, content);
		writing.finish();
	} finally {
		writing.close();
	}
}

/** A file that takes the place of another when it is finished, for content that comes in pieces. */
interface Replacement {
	readonly descriptor: number;
	finish(options?: { readonly isOnDisk?: boolean }): void;
	/** Leaves nothing behind when it was not finished. */
	close(): void;
}

export function openReplacement(file: string, options: WriteOptions = {}): Replacement {
	const directory = openOwnDirectory(dirname(file), options);
	const name = basename(resolve(file));
	// Not by process number: two children in sandboxes of their own can have the same.
	const temporary = directory.at(`${name}.${randomUUID()}.tmp`);
	let descriptor: number;
	try {
		checkReplaced(directory, name, file, options);
		descriptor = openSync(temporary, "wx", 0o600);
	} catch (error) {
		directory.close();
		throw error;
	}
	return {
		descriptor,
		finish({ isOnDisk = false } = {}) {
			if (options.mode !== undefined) fchmodSync(descriptor, options.mode);
			if (isOnDisk) fsyncSync(descriptor);
			checkReplaced(directory, name, file, options);
			if (options.isNew === true) moveToNew(temporary, directory.at(name), file);
			else renameSync(temporary, directory.at(name));
		},
		close() {
			closeSync(descriptor);
			rmSync(temporary, { force: true });
			directory.close();
		},
	};
}

/** In somebody else's tree, what is replaced must be ours. Elsewhere a link is replaced itself, not what it leads to. */
function checkReplaced(
	directory: OpenedDirectory,
	name: string,
	file: string,
	{ tree, isNew = false }: WriteOptions,
): void {
	const entry = lstatSync(directory.at(name), { throwIfNoEntry: false });
	if (entry === undefined) return;
	if (entry.isSymbolicLink()) {
		if (tree === undefined && !isNew) return;
		throw refuseLink(file, resolve(directory.realPath, readIfLink(directory.at(name)) ?? ""));
	}
	if (isNew) throw refuseExisting(file);
	if (tree !== undefined) checkOwnFile(join(directory.realPath, name), entry);
}

/** A second name is only given where there is none; a file system without second names moves, after the look above. */
function moveToNew(temporary: string, path: string, file: string): void {
	try {
		linkSync(temporary, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") throw refuseExisting(file);
		renameSync(temporary, path);
	}
}

function refuseExisting(file: string): RefusedPathError {
	return new RefusedPathError(
		`${file} exists already. Nothing was written. Choose another name, or remove that file.`,
	);
}
