import { ConversionError } from "../conversion-error.ts";
import type { DocumentHint } from "../converted-document.ts";
import { DOCUMENT_FORMATS } from "../document-format.ts";

const KNOWN_SIGNATURES: readonly (readonly [string, string, string])[] = [
	["\x1f\x8b", "a gzip file", "Unpack it first."],
	["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it first."],
	["Rar!", "a RAR archive", "Unpack it first."],
	["BZh", "a bzip2 file", "Unpack it first."],
	["\xfd7zXZ", "an xz file", "Unpack it first."],
	["\x28\xb5\x2f\xfd", "a zstd file", "Unpack it first."],
	["SQLite format 3", "an SQLite database", "Query it with sqlite3."],
	["\x7fELF", "a program", ""],
	["MZ", "a program", ""],
	["ID3", "an audio file", "A transcript would be needed."],
	["OggS", "an audio or video file", "A transcript would be needed."],
	["II*\0", "a TIFF image", "Convert it to PNG first."],
	["MM\0*", "a TIFF image", "Convert it to PNG first."],
	["BM", "a BMP image", "Convert it to PNG first."],
	["wOF", "a font", ""],
];

/** Says what the file is, if it is known, and what can be read instead. */
export function refuseUnknown(head: Buffer, { fileName }: DocumentHint): never {
	const start = head.toString("latin1", 0, 16);
	const known = KNOWN_SIGNATURES.find(([signature]) => start.startsWith(signature));
	const isMovie = head.toString("latin1", 4, 8) === "ftyp";
	const what = known?.[1] ?? (isMovie ? "an audio or video file" : "a binary file of an unknown kind");
	const advice = known?.[2] ? ` ${known[2]}` : "";
	throw new ConversionError(
		"UNSUPPORTED_FORMAT",
		`${fileName ? `"${fileName}"` : "This"} is ${what}; there is no reader for it.${advice} Formats that are read: ${Object.keys(DOCUMENT_FORMATS).join(", ")}.`,
	);
}
