import { splitLines, ToolError } from "@deputize/ground";
import { answerAsJson, toJsonReply } from "../../contract/answer-as-json.ts";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { openInside } from "../../judge/open-inside.ts";
import { readOpened } from "../../judge/read-judged-file.ts";
import { decodeTextFile } from "./decode-text-file.ts";
import type { FileToolOptions } from "./file-tool-options.ts";

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_LINES = 2000;
const MAX_CHARS = 100_000;

const PARAMETERS = {
	type: "object",
	properties: {
		filepath: { type: "string", description: "Path of the file." },
		limit: {
			type: "integer",
			minimum: 0,
			description: "Lines to return; 0 means as many as fit (default).",
		},
		offset: { type: "integer", minimum: 0, description: "Lines to skip from the beginning of the file." },
	},
	required: ["filepath"],
	additionalProperties: false,
} as const;

export function createBashReadTool({ judge }: Pick<FileToolOptions, "judge">): HostNeutralTool {
	return {
		name: "bash_read",
		label: "Read",
		description: `Read a text file in the working directory, by lines. Returns at most ${MAX_LINES} lines at a time; continue with offset.`,
		parameters: PARAMETERS,
		execute: (input, { cwd }) =>
			answerAsJson(async () => {
				const request = parseToolInput(input, PARAMETERS);
				const { filepath, offset = 0 } = request;
				const limit = Math.min(request.limit ?? 0, MAX_LINES);
				const file = openInside(filepath, { cwd, judge }, (entry, { shown, isDirectory }) => {
					if (isDirectory)
						throw new ToolError("FILE_WRONG_KIND", `${shown} is a directory; list it with bash_find`);
					if (entry.stats.size > MAX_FILE_BYTES)
						throw new ToolError(
							"FILE_TOO_LARGE",
							`${shown} is larger than ${MAX_FILE_BYTES} bytes; search it with bash_ripgrep`,
						);
					return { shown, lines: splitLines(decodeTextFile(readOpened(entry), shown)) };
				});
				const page = takePage(file.lines, offset, limit === 0 ? MAX_LINES : limit);
				return toJsonReply({
					filepath: file.shown,
					content: page.join("\n"),
					total: file.lines.length,
					offset,
					limit,
					has_more: offset + page.length < file.lines.length,
					returned: page.length,
				});
			}),
	};
}

function takePage(lines: readonly string[], offset: number, limit: number): readonly string[] {
	const page: string[] = [];
	let chars = 0;
	for (const line of lines.slice(offset, offset + limit)) {
		chars += line.length + 1;
		if (chars > MAX_CHARS && page.length > 0) break;
		page.push(
			line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}… [line cut, ${line.length} characters]` : line,
		);
	}
	return page;
}
