import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createPathGlob } from "../../../glob/create-path-glob.ts";
import { findRipgrep } from "../../../process/find-ripgrep.ts";
import { runCommand } from "../../../process/run-command.ts";

const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export interface FindInput {
	readonly pattern: string;
	readonly path?: string;
	readonly limit: number;
}

/** Files below a directory whose path matches a glob, as text for a model. What .gitignore names is left out. */
export async function findFiles(
	input: FindInput,
	place: { readonly cwd: string; readonly maxOutputBytes: number; readonly signal?: AbortSignal },
): Promise<string> {
	const directory = resolve(place.cwd, input.path ?? ".");
	if (!existsSync(directory)) throw new Error(`Path not found: ${directory}`);
	if (!statSync(directory).isDirectory()) throw new Error(`Not a directory: ${directory}`);
	const files = await listFiles(input.pattern, directory, place.signal);
	return renderFiles(files, input.limit, place.maxOutputBytes);
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

function renderFiles(files: readonly string[], limit: number, maxBytes: number): string {
	if (files.length === 0) return "No files found matching pattern";
	const kept: string[] = [];
	let bytes = 0;
	for (const file of files.slice(0, limit)) {
		bytes += Buffer.byteLength(file) + 1;
		if (bytes > maxBytes) break;
		kept.push(file);
	}
	if (kept.length === files.length) return kept.join("\n");
	return `${kept.join("\n")}\n\n[${kept.length} of ${files.length} results shown]`;
}
