import { isObject, ToolError } from "@deputize/ground";
import { invalidInput, parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { readJudgedFile } from "../../judge/read-judged-file.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import { writeJudgedFile } from "../../judge/write-judged-file.ts";
import { type Edit, replaceTexts } from "./replace-texts.ts";
import type { WritePlace } from "./write-place.ts";

const MAX_FILE_BYTES = 16 * 1024 * 1024;

const PARAMETERS = {
	type: "object",
	required: ["path", "edits"],
	properties: {
		path: { type: "string", minLength: 1, description: "Path to the file to edit (relative or absolute)" },
		edits: {
			type: "array",
			description:
				"One or more targeted replacements. Each edit is matched against the original file, not incrementally. Do not include overlapping or nested edits.",
			items: {
				type: "object",
				required: ["oldText", "newText"],
				properties: {
					oldText: {
						type: "string",
						description: "Exact text for one targeted replacement. It must be unique in the original file.",
					},
					newText: { type: "string", description: "Replacement text for this targeted edit." },
				},
			},
		},
	},
} as const;

/** `edit` with pi's parameters, under our judge. Texts must match exactly; only the kind of line ends is not looked at. */
export function createEditTool(place: WritePlace): HostNeutralTool {
	return {
		name: "edit",
		label: "edit",
		description:
			"Edit a single file of the project using exact text replacement. Every edits[].oldText must match a unique, non-overlapping region of the original file.",
		parameters: PARAMETERS,
		async execute(input) {
			const { path, edits } = parseToolInput(input, PARAMETERS);
			const wanted = parseEdits(edits);
			const file = resolveSpelling(path, place.judge);
			const { bytes } = readJudgedFile(file, place.judge, MAX_FILE_BYTES, path);
			const text = bytes.toString("utf8");
			if (!Buffer.from(text).equals(bytes))
				throw new ToolError("FILE_WRONG_KIND", `${path} is not text in UTF-8. Nothing was written.`);
			writeJudgedFile(file, replaceTexts(text, wanted, path), place, path);
			return {
				text: `Successfully replaced ${wanted.length} block(s) in ${path}.`,
				details: {},
				isError: false,
			};
		},
	};
}

function parseEdits(edits: readonly unknown[]): readonly Edit[] {
	if (edits.length === 0) throw invalidInput("edits must contain at least one replacement.");
	return edits.map((edit, index) => {
		const { oldText, newText } = isObject(edit) ? edit : {};
		if (typeof oldText !== "string" || typeof newText !== "string")
			throw invalidInput(`edits[${index}] must have oldText and newText, both strings.`);
		if (oldText === "") throw invalidInput(`edits[${index}].oldText must not be empty.`);
		return { oldText, newText };
	});
}
