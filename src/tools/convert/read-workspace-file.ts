import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import type { ConvertErrorCode } from "./conversion-error.ts";

export type WorkspaceFile =
	| {
			readonly ok: true;
			readonly bytes: Uint8Array;
			readonly fileName: string;
			/** Changes when the file does. */
			readonly version: string;
	  }
	| { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

const refuse = (code: ConvertErrorCode, message: string): WorkspaceFile => ({ ok: false, code, message });

/**
 * Reads a file whose real path lies inside the real working directory, so that neither `..` nor a link leads out.
 * The opened file is what is checked; pipes and devices are refused instead of waited for.
 */
export async function readWorkspaceFile(path: string, cwd: string, maxBytes: number): Promise<WorkspaceFile> {
	const place = await findRealPath(path, cwd);
	if (!place) return refuse("FILE_NOT_FOUND", `There is no file "${path}" in ${cwd}.`);
	if (!isInside(place.file, place.root))
		return refuse(
			"INVALID_INPUT",
			`"${path}" is outside the working directory ${cwd}; only files inside it are converted.`,
		);
	let handle: FileHandle | undefined;
	try {
		handle = await open(
			place.file,
			constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
		);
		const stats = await handle.stat();
		if (!stats.isFile()) return refuse("INVALID_INPUT", `"${path}" is not a regular file.`);
		if (stats.size > maxBytes)
			return refuse(
				"FILE_TOO_LARGE",
				`"${path}" has ${stats.size} bytes; at most ${maxBytes} are converted (convert.maxInputBytes).`,
			);
		const bytes = await readAtMost(handle, stats, maxBytes);
		return { ok: true, bytes, fileName: basename(place.file), version: versionOf(place.file, stats) };
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EACCES" || code === "EPERM")
			return refuse("INVALID_INPUT", `"${path}" may not be read: permission denied.`);
		return refuse("FILE_NOT_FOUND", `"${path}" could not be read (${code ?? "unknown reason"}).`);
	} finally {
		await handle?.close();
	}
}

async function findRealPath(path: string, cwd: string): Promise<{ file: string; root: string } | undefined> {
	try {
		const root = await realpath(cwd);
		// Models quote file mentions as users write them, with an @ in front.
		const candidates = path.startsWith("@") ? [path, path.slice(1)] : [path];
		for (const candidate of candidates) {
			const file = await realpath(resolve(cwd, candidate)).catch(() => undefined);
			if (file) return { file, root };
		}
	} catch {
		// The working directory itself is gone.
	}
	return undefined;
}

function isInside(file: string, root: string): boolean {
	const way = relative(root, file);
	return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A file may grow between the look at its size and the reading. */
async function readAtMost(handle: FileHandle, stats: Stats, maxBytes: number): Promise<Uint8Array> {
	const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
	let filled = 0;
	while (filled < bytes.length) {
		const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

function versionOf(file: string, { ino, mtimeMs, size }: Stats): string {
	return `${file}\0${ino}\0${mtimeMs}\0${size}`;
}
