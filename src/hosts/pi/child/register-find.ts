import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import { findRipgrep } from "../../../process/find-ripgrep.ts";
import { runCommand } from "../../../process/run-command.ts";
import { createPathGlob } from "../../../text/match-path-glob.ts";

const DEFAULT_LIMIT = 1000;
const MAX_OUTPUT_BYTES = 50 * 1024;
const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

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
			const params = input as { pattern: string; path?: string; limit?: number };
			const directory = resolve(context.cwd, params.path ?? ".");
			if (!existsSync(directory)) throw new Error(`Path not found: ${directory}`);
			if (!statSync(directory).isDirectory()) throw new Error(`Not a directory: ${directory}`);
			const files = await listFiles(params.pattern, directory, signal);
			return {
				content: [{ type: "text", text: renderFiles(files, params.limit ?? DEFAULT_LIMIT) }],
				details: {},
			};
		},
	});
}

async function listFiles(
	pattern: string,
	directory: string,
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const ripgrep = findRipgrep(process.env);
	if (!ripgrep) throw new Error("ripgrep is not available on this platform");
	const matches = createPathGlob(pattern);
	const ending = await runCommand({
		command: ripgrep,
		// Without the pattern: a glob that matches a directory would switch .gitignore off for it.
		args: ["--files", "--hidden", "--no-require-git", "--glob", "!.git/", "--sort", "path"],
		cwd: directory,
		env: { PATH: process.env["PATH"] ?? "" },
		timeoutMs: TIMEOUT_MS,
		maxStdoutBytes: MAX_LISTING_BYTES,
		...(signal ? { signal } : {}),
	});
	if (ending.reason !== "exit") throw new Error(ending.message ?? `The search ended early: ${ending.reason}`);
	// 1 means that nothing matched, which is an answer.
	if (ending.exitCode !== 0 && ending.exitCode !== 1)
		throw new Error(ending.stderr.trim() || "The search failed");
	return ending.stdout
		.toString("utf8")
		.split("\n")
		.filter((line) => line !== "" && matches(line));
}

function renderFiles(files: readonly string[], limit: number): string {
	if (files.length === 0) return "No files found matching pattern";
	const kept: string[] = [];
	let bytes = 0;
	for (const file of files.slice(0, limit)) {
		bytes += Buffer.byteLength(file) + 1;
		if (bytes > MAX_OUTPUT_BYTES) break;
		kept.push(file);
	}
	if (kept.length === files.length) return kept.join("\n");
	return `${kept.join("\n")}\n\n[${kept.length} of ${files.length} results shown]`;
}
