import { closeSync, constants, fstatSync, openSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { checkOwnFile } from "./check-own-file.ts";
import { type DirectoryOptions, openOwnDirectory, readIfLink, refuseLink } from "./open-own-directory.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** The descriptor of a file that takes more at its end: a new private one, or one of our own that is continued. */
export function openToAppend(file: string, options: DirectoryOptions = {}): number {
	const directory = openOwnDirectory(dirname(file), options);
	const name = basename(resolve(file));
	try {
		const target = readIfLink(directory.at(name));
		if (target !== undefined) throw refuseLink(file, resolve(directory.realPath, target));
		const descriptor = openNoLink(file, directory.at(name));
		try {
			checkOwnFile(join(directory.realPath, name), fstatSync(descriptor));
			return descriptor;
		} catch (error) {
			closeSync(descriptor);
			throw error;
		}
	} finally {
		directory.close();
	}
}

/** Adds to a file that is kept open by nobody. */
export function appendToFile(file: string, text: string): void {
	const descriptor = openToAppend(file);
	try {
		writeFileSync(descriptor, text);
	} finally {
		closeSync(descriptor);
	}
}

function openNoLink(file: string, path: string): number {
	try {
		return openSync(path, FLAGS, 0o600);
	} catch (error) {
		// The other end of a pipe is missing, or a link was made in this moment.
		if (["ENXIO", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? ""))
			throw refuseLink(file, readIfLink(path) ?? "a pipe that nobody reads");
		throw error;
	}
}
