import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import type { FindInput } from "./find-files.ts";

const DEFAULT_LIMIT = 1000;
const MAX_OUTPUT_BYTES = 50 * 1024;

const PARAMETERS = {
	type: "object",
	properties: {
		pattern: {
			type: "string",
			description: "Glob pattern to match files, e.g. '*.ts' or 'src/**/*.spec.ts'",
		},
		path: { type: "string", description: "Directory to search in (default: current directory)" },
		limit: { type: "number", description: `Maximum number of results (default: ${DEFAULT_LIMIT})` },
	},
	required: ["pattern"],
} as TSchema;

/**
 * pi's `find` needs a recent fd, which few machines have and which it would try to download. This one has the
 * same parameters and answers and runs on ripgrep, so that every machine gives the same result.
 */
export function registerFind(pi: ExtensionAPI): void {
	pi.registerTool({
		name: "find",
		label: "find",
		description: `Search for files by glob pattern. Returns matching file paths relative to the search directory. Respects .gitignore. At most ${DEFAULT_LIMIT} results or ${MAX_OUTPUT_BYTES / 1024}KB.`,
		parameters: PARAMETERS,
		async execute(_id, input, signal, _onUpdate, context) {
			// With all it needs to run a program: twenty modules that most children never use.
			const { findFiles } = await import("./find-files.ts");
			const text = await findFiles(
				{ limit: DEFAULT_LIMIT, ...(input as Omit<FindInput, "limit">) },
				{ cwd: context.cwd, maxOutputBytes: MAX_OUTPUT_BYTES, ...(signal ? { signal } : {}) },
			);
			return { content: [{ type: "text", text }], details: {} };
		},
	});
}
