import { ToolError } from "@deputize/ground";
import { type InputOf, parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { readJudgedFile } from "../../judge/read-judged-file.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import { decodeTextFile } from "./decode-text-file.ts";
import { detectImage } from "./detect-image.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { addNotices, formatSize, keepLines, MAX_OUTPUT_BYTES } from "./keep-lines.ts";

const MAX_LINES = 2000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const READ_PARAMETERS = {
	type: "object",
	required: ["path"],
	properties: {
		path: { type: "string", description: "Path to the file to read (relative or absolute)" },
		offset: { type: "number", description: "Line number to start reading from (1-indexed)" },
		limit: { type: "number", description: "Maximum number of lines to read" },
	},
} as const;

/** `read` with pi's parameters and answers, under our judge. */
export function createReadTool({ judge }: Pick<FileToolOptions, "judge">): HostNeutralTool {
	return {
		name: "read",
		label: "read",
		description: `Read the contents of a file. Supports text files and images (jpg, png, gif, webp, bmp). Images are sent as attachments. For text files, output is truncated to ${MAX_LINES} lines or ${MAX_OUTPUT_BYTES / 1024}KB (whichever is hit first). Use offset/limit for large files. When you need the full file, continue with offset until complete.`,
		parameters: READ_PARAMETERS,
		async execute(input) {
			const request = parseToolInput(input, READ_PARAMETERS);
			const { bytes } = readJudgedFile(
				resolveSpelling(request.path, judge),
				judge,
				MAX_FILE_BYTES,
				request.path,
			);
			const mimeType = detectImage(bytes);
			if (mimeType !== undefined) {
				const text = `Read image file [${mimeType}]`;
				return { text, details: {}, isError: false, images: [{ bytes, mimeType }] };
			}
			const text = renderLines(decodeTextFile(bytes, request.path).split("\n"), request);
			return { text, details: {}, isError: false };
		},
	};
}

function renderLines(all: readonly string[], { offset, limit }: InputOf<typeof READ_PARAMETERS>): string {
	const start = Math.max(0, Math.floor(offset ?? 1) - 1);
	if (start >= all.length)
		throw new ToolError(
			"INVALID_INPUT",
			`Offset ${offset} is beyond end of file (${all.length} lines total)`,
		);
	const end = limit === undefined ? all.length : Math.min(all.length, start + Math.max(0, Math.floor(limit)));
	const wanted = all.slice(start, end);
	// The empty line after a final newline is not one that could be cut off.
	const head = keepLines(wanted.at(-1) === "" ? wanted.slice(0, -1) : wanted, MAX_LINES);
	const [first = ""] = wanted;
	if (head.cutBy === "bytes" && head.lines.length === 0) return renderLongLine(first, start + 1);
	const last = start + head.lines.length;
	if (head.cutBy !== undefined) {
		const size = head.cutBy === "bytes" ? ` (${formatSize(MAX_OUTPUT_BYTES)} limit)` : "";
		const notice = `Showing lines ${start + 1}-${last} of ${all.length}${size}. Use offset=${last + 1} to continue.`;
		return addNotices(head.lines.join("\n"), [notice]);
	}
	const rest = `${all.length - end} more lines in file. Use offset=${end + 1} to continue.`;
	return addNotices(wanted.join("\n"), [end < all.length && rest]);
}

function renderLongLine(line: string, number: number): string {
	const head = Buffer.from(line)
		.subarray(0, MAX_OUTPUT_BYTES)
		.toString("utf8")
		.replace(/\uFFFD$/, "");
	const size = formatSize(Buffer.byteLength(line));
	return addNotices(head, [
		`Line ${number} is ${size}; only its first ${formatSize(MAX_OUTPUT_BYTES)} are shown. Use offset=${number + 1} for the next line.`,
	]);
}
