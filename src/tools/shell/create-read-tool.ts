import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { HostNeutralTool } from "../../contract/tool.ts";
import {
	answerInput,
	readArguments,
	readCount,
	readText,
	ToolInputError,
	toReply,
} from "./read-arguments.ts";
import { resolveInside } from "./resolve-inside.ts";

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_LINES = 2000;
const MAX_CHARS = 100_000;

export function createReadTool(): HostNeutralTool {
	return {
		name: "bash_read",
		label: "Read",
		description: `Read a text file in the working directory, by lines. Returns at most ${MAX_LINES} lines at a time; continue with offset.`,
		parameters: {
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
		},
		execute: (input, context) =>
			answerInput(async () => {
				const args = readArguments(input, ["filepath", "limit", "offset"]);
				const file = await resolveInside(context.cwd, readText(args, "filepath"));
				const limit = readCount(args, "limit", 0, MAX_LINES);
				const offset = readCount(args, "offset", 0, Number.MAX_SAFE_INTEGER);
				const lines = splitLines(await readTextFile(file.real, file.shown));
				const page = takePage(lines, offset, limit === 0 ? MAX_LINES : limit);
				return toReply({
					filepath: file.shown,
					content: page.join("\n"),
					total: lines.length,
					offset,
					limit,
					has_more: offset + page.length < lines.length,
					returned: page.length,
				});
			}),
	};
}

async function readTextFile(path: string, shown: string): Promise<string> {
	// Without O_NONBLOCK opening a named pipe waits for a writer that never comes.
	const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: Error) => {
		throw new ToolInputError(`${shown} cannot be opened: ${error.message}`);
	});
	try {
		const status = await handle.stat();
		if (status.isDirectory()) throw new ToolInputError(`${shown} is a directory; list it with bash_find`);
		if (!status.isFile()) throw new ToolInputError(`${shown} is not a regular file`);
		if (status.size > MAX_FILE_BYTES) {
			throw new ToolInputError(
				`${shown} is larger than ${MAX_FILE_BYTES} bytes; search it with bash_ripgrep`,
			);
		}
		const bytes = await handle.readFile();
		if (bytes.subarray(0, 8192).includes(0)) throw new ToolInputError(`${shown} is not a text file`);
		return bytes.toString("utf8");
	} finally {
		await handle.close();
	}
}

function splitLines(text: string): readonly string[] {
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines;
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
