import {
	closeSync,
	constants,
	fstatSync,
	openSync,
	readlinkSync,
	realpathSync,
	type Stats,
	statSync,
} from "node:fs";
import { canonicalPath, describeKind, ToolError } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";

/** Something that is open, was judged as it is open, and must be closed. */
export interface OpenedEntry {
	readonly descriptor: number;
	/** Where it really is. */
	readonly realPath: string;
	readonly stats: Stats;
	close(): void;
}

type FileErrorCode = "FILE_NOT_FOUND" | "FILE_CLOSED" | "FILE_UNREADABLE" | "FILE_WRONG_KIND";

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens a regular file or a directory, by any spelling of its path, if the judge allows it. What is judged is the open
 * descriptor: its real path and its kind, so that no link, race or spelling changes the verdict. Pipes, sockets and
 * devices are never opened: opening alone can wait forever or do something.
 */
export function openJudged(path: string, judge: Judge, shown = path): OpenedEntry {
	refuseClosed(canonicalPath(path), judge, shown);
	const found = orRefuse(() => statSync(path), shown);
	refuseKind(found, shown);
	// Without O_NONBLOCK, a pipe that took the file's place meanwhile would wait for a writer that never comes.
	const descriptor = orRefuse(() => openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY), shown);
	try {
		const stats = fstatSync(descriptor);
		refuseKind(stats, shown);
		const realPath = realPathOf(descriptor, path, stats);
		if (realPath === undefined)
			throw new ToolError("FILE_UNREADABLE", `${shown} changed while it was opened; try again.`);
		refuseClosed(realPath, judge, shown);
		return { descriptor, realPath, stats, close: () => closeSync(descriptor) };
	} catch (error) {
		closeSync(descriptor);
		throw error;
	}
}

/** As `openJudged`, for files only. */
export function openJudgedFile(path: string, judge: Judge, shown = path): OpenedEntry {
	const entry = openJudged(path, judge, shown);
	if (!entry.stats.isDirectory()) return entry;
	entry.close();
	throw new ToolError("FILE_WRONG_KIND", `${shown} is a directory.`);
}

/** As `openJudged`, for directories only. */
export function openJudgedDirectory(path: string, judge: Judge, shown = path): OpenedEntry {
	const entry = openJudged(path, judge, shown);
	if (entry.stats.isDirectory()) return entry;
	entry.close();
	throw new ToolError("FILE_WRONG_KIND", `Not a directory: ${shown}`);
}

function refuseClosed(realPath: string, judge: Judge, shown: string): void {
	const reason = judge.explain(realPath);
	if (reason !== undefined) throw new ToolError("FILE_CLOSED", `${shown} may not be read: ${reason}`);
}

function refuseKind(stats: Stats, shown: string): void {
	if (stats.isFile() || stats.isDirectory()) return;
	throw new ToolError("FILE_WRONG_KIND", `${shown} is ${describeKind(stats)}, not a regular file.`);
}

function orRefuse<Value>(look: () => Value, shown: string): Value {
	try {
		return look();
	} catch (error) {
		throw toFileError(error, shown);
	}
}

function toFileError(error: unknown, shown: string): ToolError<FileErrorCode> {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG")
		return new ToolError("FILE_NOT_FOUND", `Path not found: ${shown}`);
	if (code === "EACCES" || code === "EPERM")
		return new ToolError("FILE_UNREADABLE", `${shown} cannot be read: permission denied.`);
	return new ToolError("FILE_UNREADABLE", `${shown} cannot be read (${code ?? message}).`);
}

/** Of the descriptor itself where the kernel tells, else of the path, when it still leads to what is open. */
function realPathOf(descriptor: number, path: string, opened: Stats): string | undefined {
	for (const find of [() => readlinkSync(`/proc/self/fd/${descriptor}`), () => realpathSync.native(path)]) {
		try {
			const real = find();
			const found = statSync(real);
			if (found.dev === opened.dev && found.ino === opened.ino) return real;
		} catch {
			// No /proc here, or the file was removed meanwhile: the next way may still tell.
		}
	}
	return undefined;
}
