import { formatCount } from "@deputize/ground";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderGrid, toCellText } from "../html/render-table.ts";
import { readZipDirectory, type ZipEntry } from "../zip/read-zip-directory.ts";

/** What an archive says it contains. Nothing is unpacked, so a zip bomb is only a long number here. */
export function readZipListing(bytes: Buffer): ConvertedDocument {
	const entries = readZipDirectory(bytes);
	const files = entries.filter((entry) => !entry.directory);
	const total = files.reduce((sum, entry) => sum + entry.bytes, 0);
	const shown = files.slice(0, CONVERSION_LIMITS.maxListedEntries);
	const table = renderGrid([["Name", "Bytes", "Packed", "Modified", "Note"], ...shown.map(toRow)]);
	const rest = files.length - shown.length;
	const markdown = [
		"# Archive contents",
		`${formatCount(files.length, "file")}, ${total} bytes unpacked.`,
		...(files.length > 0 ? [table] : []),
		...(rest > 0 ? [`*(${rest} more files not shown)*`] : []),
	].join("\n\n");
	return {
		markdown,
		metadata: {
			files: files.length,
			unpackedBytes: total,
			encrypted: entries.some((entry) => entry.encrypted),
		},
	};
}

function toRow(entry: ZipEntry): string[] {
	const note = entry.encrypted ? "password-protected" : "";
	const name = entry.name.replace(/\p{Cc}/gu, "\uFFFD");
	return [toCellText(name), String(entry.bytes), String(entry.compressedBytes), entry.modified ?? "", note];
}
