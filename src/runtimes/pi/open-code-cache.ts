import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	defined,
	type Environment,
	findForeignDirectory,
	fingerprint,
	removeOldest,
	stampFiles,
	statIfThere,
} from "@deputize/ground";
import { locateEntryPoint } from "../../entry-points.ts";
import { runCommand } from "../../process/run-command.ts";
import type { PiProgram } from "./find-pi.ts";

/** Of one pi: another version is another directory. */
export interface CodeCache {
	/** The user's environment, with a compile cache of our own or none. */
	readonly env: Environment;
	/** Temporary files of a pi outside of any sandbox; what it makes of extensions is kept there and run again. */
	readonly temporaryDirectory?: string | undefined;
	/** Gives a child, which has a temporary directory of its own, what was made of extensions before. */
	copyExtensions(temporaryDirectory: string): void;
	/** Compiles pi and our extension for later children, once and beside the first of them. Confined ones only read it. */
	fill(): Promise<void>;
}

const MAX_PROGRAMS = 4;
const FILL_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const EXTENSIONS = "jiti";
/** What is compiled, and temporary files. Both exist before a child starts, so that a sandbox shows them and takes nothing. */
const PLACES = ["compiled", "tmp"] as const;

/**
 * Compiled code is run without a look at where it came from. pi keeps its own in the system's temporary directory, where
 * another user can be first, and a confined child could leave something for the next one. So every pi that we start has a
 * cache below the agent directory, which only processes outside of a sandbox write to. What the user set stays.
 */
export function openCodeCache(
	pi: PiProgram,
	options: { readonly env: Environment; readonly agentDirectory: string },
): CodeCache {
	const { env, agentDirectory } = options;
	const isDecided = env["NODE_COMPILE_CACHE"] !== undefined || Boolean(env["NODE_DISABLE_COMPILE_CACHE"]);
	const directory = openProgramCache(pi, agentDirectory);
	const nothing = async (): Promise<void> => undefined;
	if (directory === undefined)
		return {
			env: isDecided ? env : { ...env, NODE_DISABLE_COMPILE_CACHE: "1" },
			copyExtensions: () => undefined,
			fill: nothing,
		};
	const temporaryDirectory = join(directory, "tmp");
	const compiled = isDecided ? env : { ...env, NODE_COMPILE_CACHE: join(directory, "compiled") };
	return {
		env: compiled,
		temporaryDirectory,
		copyExtensions(target) {
			const made = join(temporaryDirectory, EXTENSIONS);
			if (existsSync(made)) cpSync(made, join(target, EXTENSIONS), { recursive: true });
		},
		fill: isDecided ? nothing : () => fillCache(pi, directory, { ...compiled, TMPDIR: temporaryDirectory }),
	};
}

/** Undefined where others could write to it, or nobody can. */
function openProgramCache(pi: PiProgram, agentDirectory: string): string | undefined {
	const caches = join(agentDirectory, "deputize", "code-cache");
	const program = `${pi.version}\n${stampFiles([pi.command, ...pi.prefix])}`;
	const directory = join(caches, fingerprint(program, 32));
	try {
		const [isNew] = PLACES.map((name) => mkdirSync(join(directory, name), { recursive: true, mode: 0o700 }));
		if (isNew !== undefined) removeOldest(caches, MAX_PROGRAMS);
		const isForeign = PLACES.some((name) => findForeignDirectory(agentDirectory, join(directory, name)));
		return isForeign ? undefined : directory;
	} catch {
		return undefined;
	}
}

async function fillCache(pi: PiProgram, directory: string, env: Environment): Promise<void> {
	const state = join(directory, `filled-${process.version}`);
	// A program that only poses as pi would do who knows what with these arguments.
	if (pi.version === undefined || isCacheFilled(state)) return;
	try {
		writeFileSync(state, "", { mode: 0o600 });
		const ending = await runCommand({
			command: pi.command,
			args: [
				...[...pi.prefix, "--list-models", "--no-extensions"],
				...["--extension", locateEntryPoint("pi-child-extension")],
				...["--extension", locateEntryPoint("pi-waiting-child-extension")],
			],
			// Nothing of a project is loaded from here.
			cwd: directory,
			env: { ...(defined(env) as Record<string, string>), PI_OFFLINE: "1" },
			timeoutMs: FILL_TIMEOUT_MS,
			maxStdoutBytes: MAX_OUTPUT_BYTES,
		});
		if (ending.exitCode === 0) writeFileSync(state, "yes\n", { mode: 0o600 });
	} catch {
		// The next children compile pi themselves, as this one does.
	}
}

/** Or somebody is doing it. */
function isCacheFilled(state: string): boolean {
	const found = statIfThere(state);
	return found !== undefined && (found.size > 0 || Date.now() - found.mtimeMs < FILL_TIMEOUT_MS);
}
