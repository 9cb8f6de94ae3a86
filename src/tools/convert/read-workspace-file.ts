import { basename } from "node:path";
import { ToolError } from "../../contract/tool-error.ts";
import type { Judge } from "../../judge/create-judge.ts";
import { openInside } from "../../judge/open-inside.ts";
import { readOpened } from "../../judge/read-judged-file.ts";
import { toStamp } from "../../paths/stamp-files.ts";
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

/** Reads a regular file inside the working directory that the judge allows. */
export function readWorkspaceFile(
	path: string,
	place: { readonly cwd: string; readonly judge: Judge },
	maxBytes: number,
): WorkspaceFile {
	// Models quote file mentions as users write them, with an @ in front.
	const [first, ...others] = path.startsWith("@") ? [path, path.slice(1)] : [path];
	const found = tryToRead(first ?? path, place, maxBytes);
	const next = others[0];
	return found.ok || found.code !== "FILE_NOT_FOUND" || next === undefined
		? found
		: tryToRead(next, place, maxBytes);
}

function tryToRead(
	path: string,
	place: { readonly cwd: string; readonly judge: Judge },
	maxBytes: number,
): WorkspaceFile {
	try {
		return openInside(path, place, (entry, { real, isDirectory }): WorkspaceFile => {
			if (isDirectory) throw new ToolError("FILE_WRONG_KIND", `${path} is not a regular file.`);
			const { size } = entry.stats;
			if (size > maxBytes)
				throw new ToolError(
					"FILE_TOO_LARGE",
					`"${path}" has ${size} bytes; at most ${maxBytes} are converted (convert.maxInputBytes).`,
				);
			const version = `${real}\0${toStamp(entry.stats)}`;
			return { ok: true, bytes: readOpened(entry), fileName: basename(real), version };
		});
	} catch (error) {
		if (!(error instanceof ToolError)) throw error;
		return toFileFailure(error, path, place.cwd);
	}
}

function toFileFailure({ code, message }: ToolError, path: string, cwd: string): WorkspaceFile {
	if (code === "FILE_NOT_FOUND") return { ok: false, code, message: `There is no file "${path}" in ${cwd}.` };
	return { ok: false, code: code === "FILE_TOO_LARGE" ? code : "INVALID_INPUT", message };
}
