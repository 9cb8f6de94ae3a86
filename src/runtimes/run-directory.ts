import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DelegationError } from "../contract/error-codes.ts";
import { runAtExit } from "../process/live-children.ts";
import { isRunning, readProcess } from "../process/read-process-table.ts";

/** A private directory for the files of one run. Its name says who owns it, so that it can be swept. */
export interface RunDirectory {
	readonly path: string;
	write(name: string, text: string): string;
	remove(): void;
}

const PREFIX = "deputize-run-";
const NAME = /^deputize-run-(\d+)-(\d+)-\w+$/;

export function createRunDirectory(parent: string = tmpdir()): RunDirectory {
	sweepRunDirectories(parent);
	const startTime = readProcess(process.pid)?.startTime ?? 0;
	const path = attempt(() => mkdtempSync(join(parent, `${PREFIX}${process.pid}-${startTime}-`)));
	const removeNow = (): void => rmSync(path, { recursive: true, force: true });
	const forget = runAtExit(removeNow);
	const remove = (): void => {
		forget();
		removeNow();
	};
	return {
		path,
		remove,
		write(name, text) {
			const file = join(path, name);
			try {
				return attempt(() => {
					writeFileSync(file, text, { mode: 0o600, flag: "wx" });
					return file;
				});
			} catch (error) {
				remove();
				throw error;
			}
		},
	};
}

function attempt<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`A temporary file for the run cannot be written (${code ?? message}). Free space in, or correct, TMPDIR.`,
		);
	}
}

/** Directories whose owner was killed before it could remove them. Returns how many there were. */
export function sweepRunDirectories(parent: string = tmpdir()): number {
	const left = listLeftRunDirectories(parent);
	for (const path of left) rmSync(path, { recursive: true, force: true });
	return left.length;
}

export function listLeftRunDirectories(parent: string = tmpdir()): readonly string[] {
	// Without /proc nothing can be said about an owner, and nothing is touched.
	if (readProcess(process.pid) === undefined) return [];
	return list(parent)
		.map((name) => ({ name, match: NAME.exec(name) }))
		.filter(({ match }) => match && !isRunning({ pid: Number(match[1]), startTime: Number(match[2]) }))
		.map(({ name }) => join(parent, name));
}

function list(directory: string): readonly string[] {
	try {
		return readdirSync(directory);
	} catch {
		return [];
	}
}
