import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import { writeJudgedFile } from "../../judge/write-judged-file.ts";
import type { WritePlace } from "./write-place.ts";

const PARAMETERS = {
	type: "object",
	required: ["path", "content"],
	properties: {
		path: {
			type: "string",
			minLength: 1,
			description: "Path to the file to write (relative or absolute)",
		},
		content: { type: "string", description: "Content to write to the file" },
	},
} as const;

/** `write` with pi's parameters, under our judge. */
export function createWriteTool(place: WritePlace): HostNeutralTool {
	return {
		name: "write",
		label: "write",
		description:
			"Write content to a file of the project. Creates the file if it doesn't exist, overwrites if it does. Automatically creates parent directories.",
		parameters: PARAMETERS,
		async execute(input) {
			const { path, content } = parseToolInput(input, PARAMETERS);
			writeJudgedFile(resolveSpelling(path, place.judge), content, place, path);
			const text = `Successfully wrote ${Buffer.byteLength(content)} bytes to ${path}`;
			return { text, details: {}, isError: false };
		},
	};
}
