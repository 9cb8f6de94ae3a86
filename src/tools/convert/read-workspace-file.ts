import { basename } from "node:path";
import { ConversionError, type LoadedDocument } from "@deputize/documents";
import { ToolError, toStamp } from "@deputize/ground";
import { openInside } from "../../judge/open-inside.ts";
import { readOpened } from "../../judge/read-judged-file.ts";

/** Reads a regular file inside the working directory that the judge allows. Throws `ConversionError`. */
export function readWorkspaceFile(
	path: string,
	place: Parameters<typeof openInside>[1],
	maxBytes: number,
): LoadedDocument {
	try {
		return openInside(path, place, (entry, { real, isDirectory }) => {
			if (isDirectory) throw new ToolError("FILE_WRONG_KIND", `${path} is not a regular file.`);
			const { size } = entry.stats;
			if (size > maxBytes)
				throw new ToolError(
					"FILE_TOO_LARGE",
					`"${path}" has ${size} bytes; at most ${maxBytes} are converted (convert.maxInputBytes).`,
				);
			return {
				bytes: readOpened(entry),
				hint: { fileName: basename(real) },
				// Changes when the file does.
				key: `path ${real}\0${toStamp(entry.stats)}`,
			};
		});
	} catch (error) {
		if (!(error instanceof ToolError)) throw error;
		const { code, message } = error;
		// Models quote file mentions as users write them, with an @ in front.
		if (code === "FILE_NOT_FOUND" && path.startsWith("@"))
			return readWorkspaceFile(path.slice(1), place, maxBytes);
		if (code === "FILE_NOT_FOUND")
			throw new ConversionError(code, `There is no file "${path}" in ${place.cwd}.`);
		throw new ConversionError(code === "FILE_TOO_LARGE" ? code : "INVALID_INPUT", message);
	}
}
