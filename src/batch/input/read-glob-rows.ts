import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { codeOf, formatCount, mapWithLimit } from "@deputize/ground";
import { findRipgrep } from "../../process/find-ripgrep.ts";
import { runCommand } from "../../process/run-command.ts";
import { BatchError } from "../batch-error.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";
import type { BatchRow, ReadRowsOptions } from "./batch-row.ts";

const FILES_AT_ONCE = 8;
/** Takes the place of bytes that are no text; a file with it in its name cannot be opened by that name. */
const NOT_TEXT = "\uFFFD";

/** Files that match, sorted by path, without those that `.gitignore` excludes. Their content is part of the key. */
export async function readGlobRows(pattern: string, options: ReadRowsOptions): Promise<readonly BatchRow[]> {
	const listed = await listMatchingFiles(pattern, options);
	const paths = listed.filter((path) => !path.includes(NOT_TEXT));
	const unnamed = listed.length - paths.length;
	// One such file must not keep the others from being looked at.
	if (unnamed > 0) options.say(`${formatCount(unnamed, "file")} left out: a name that is not UTF-8.`);
	if (paths.length === 0) {
		throw new BatchError(
			`No file matches ${JSON.stringify(pattern)} in ${options.cwd}. Ignored and hidden files are left out.`,
		);
	}
	return mapWithLimit(paths, FILES_AT_ONCE, async (path) => ({
		place: path,
		id: path,
		fields: { path, name: basename(path), directory: dirname(path), extension: extname(path) },
		fingerprint: await hashFile(join(options.cwd, path)),
	}));
}

async function listMatchingFiles(pattern: string, { cwd, env }: ReadRowsOptions): Promise<readonly string[]> {
	const ripgrep = findRipgrep(env);
	if (ripgrep === undefined)
		throw new BatchError("Listing files needs ripgrep, which was not found. Install it.");
	const ending = await runCommand({
		command: ripgrep,
		args: ["--no-config", "--files", "--null", "--glob", pattern],
		cwd,
		env: { PATH: env["PATH"] ?? "" },
		timeoutMs: BATCH_LIMITS.globTimeoutMs,
		maxStdoutBytes: BATCH_LIMITS.maxGlobOutputBytes,
	});
	// 1 means that nothing matched, or that a directory was not readable; what was found counts.
	if (ending.reason !== "exit" || (ending.exitCode ?? 2) > 1) {
		const reason = (ending.message ?? ending.stderr.trim()) || ending.reason;
		throw new BatchError(`Listing the files of ${JSON.stringify(pattern)} failed: ${reason}`);
	}
	return ending.stdout
		.toString("utf8")
		.split("\0")
		.filter((path) => path !== "")
		.sort();
}

async function hashFile(file: string): Promise<string> {
	const { size } = await stat(file).catch((error: unknown) => {
		throw new BatchError(`${file} cannot be read (${codeOf(error)}).`);
	});
	if (size > BATCH_LIMITS.maxGlobbedFileBytes) {
		throw new BatchError(
			`${file} has ${size} bytes; at most ${BATCH_LIMITS.maxGlobbedFileBytes} are hashed. Narrow the pattern.`,
		);
	}
	const hash = createHash("sha256");
	await pipeline(createReadStream(file), hash);
	return hash.digest("hex");
}
