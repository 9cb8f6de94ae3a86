import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@deputize/ground";
import type { SandboxProbe } from "../contract/sandbox-probe.ts";
import { wrapInSandbox } from "./build-sandbox.ts";
import { findExecutable } from "./find-executable.ts";
import { locateCallFilter } from "./locate-call-filter.ts";
import { type CommandEnding, runCommand } from "./run-command.ts";

const PROBE_TIMEOUT_MS = 10_000;
const PROBE_OUTPUT_BYTES = 16 * 1024;

// Tries to escape in the ways that work if a capability is left, then reports what it is allowed to do.
const ESCAPE_ATTEMPT = `
echo allowed > "$1/inside" || exit 10
echo escaped > "$2/written" 2>/dev/null
mount -o remount,rw,bind / 2>/dev/null
mount -o remount,rw / 2>/dev/null
echo escaped > "$2/remounted" 2>/dev/null
chmod 000 "$2" 2>/dev/null
ln -s / "$1/link" && echo escaped > "$1/link$2/linked" 2>/dev/null
cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo escaped >&2
grep CapEff /proc/self/status
`;

/**
 * Whether bubblewrap works here, determined by trying to escape from it. Being installed proves nothing: it can be
 * forbidden inside a container, and it does not confine root while a capability is left.
 */
export async function probeSandbox(
	env: Environment,
	temporaryDirectory: string = tmpdir(),
): Promise<SandboxProbe> {
	if (process.platform !== "linux") return { works: false, reason: "Bubblewrap exists on Linux only." };
	const bwrap = findExecutable("bwrap", env);
	if (bwrap === undefined) {
		return {
			works: false,
			reason: "bwrap is not on PATH. Install the package bubblewrap to confine children.",
		};
	}
	const directory = mkdtempSync(join(temporaryDirectory, "deputize-probe-"));
	try {
		return await tryToEscape(bwrap, env, directory);
	} finally {
		removeQuietly(directory);
	}
}

/** Leftovers of a probe must not fail a run: they are a few empty files in the temporary directory. */
function removeQuietly(directory: string): void {
	try {
		rmSync(directory, { recursive: true, force: true });
	} catch {
		// Not ours any more.
	}
}

async function tryToEscape(bwrap: string, env: Environment, directory: string): Promise<SandboxProbe> {
	const inside = join(directory, "inside");
	const outside = join(directory, "outside");
	mkdirSync(inside);
	mkdirSync(outside);
	const wrapped = wrapInSandbox("/bin/sh", ["-c", ESCAPE_ATTEMPT, "sh", inside, outside], {
		bwrap,
		writableDirectories: [inside],
		cwd: directory,
	});
	const ending = await tryCommand(wrapped, directory, { PATH: env["PATH"] ?? "/usr/bin:/bin" });
	// If nothing confined it, the attempt removed our own permission; restore it, to look inside and to clean up.
	const wasChanged = (statSync(outside).mode & 0o777) === 0;
	if (wasChanged) chmodSync(outside, 0o700);
	if (ending.reason !== "exit" || ending.exitCode !== 0) {
		const detail = ending.message ?? ending.stderr.trim();
		return {
			works: false,
			reason: `${bwrap} does not run here: ${detail || `exit code ${ending.exitCode}`}`,
		};
	}
	if (wasChanged || readdirSync(outside).length > 0 || ending.stderr.includes("escaped")) {
		return { works: false, reason: `${bwrap} runs here but does not confine: a write outside got through.` };
	}
	if (!/^CapEff:\s0+$/m.test(ending.stdout.toString("latin1"))) {
		return { works: false, reason: `${bwrap} runs here but leaves capabilities to the child.` };
	}
	const reason = `${bwrap} confines here: writes outside were refused.`;
	const [hasSizes, hasFilter, nests] = await Promise.all([
		knowsSizes(bwrap, directory),
		knowsFilter(bwrap, directory),
		knowsNesting(bwrap, directory),
	]);
	return { works: true, reason, bwrap, hasSizes, hasFilter, nests };
}

function tryCommand(
	wrapped: { readonly command: string; readonly args: readonly string[] },
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): Promise<CommandEnding> {
	const limits = { timeoutMs: PROBE_TIMEOUT_MS, maxStdoutBytes: PROBE_OUTPUT_BYTES };
	return runCommand({ ...wrapped, cwd, env, ...limits });
}

async function succeeds(...command: Parameters<typeof tryCommand>): Promise<boolean> {
	const { reason, exitCode } = await tryCommand(...command);
	return reason === "exit" && exitCode === 0;
}

const NOTHING = ["/bin/sh", ["-c", "exit 0"]] as const;

async function knowsFilter(bwrap: string, cwd: string): Promise<boolean> {
	const callFilter = locateCallFilter({ unixSockets: false });
	if (callFilter === undefined) return false;
	return succeeds(wrapInSandbox(...NOTHING, { bwrap, writableDirectories: [], cwd, callFilter }), cwd);
}

/** Containers and kernels often allow one sandbox but none inside of it. */
function knowsNesting(bwrap: string, cwd: string): Promise<boolean> {
	const options = { bwrap, writableDirectories: [], cwd };
	const inner = wrapInSandbox(...NOTHING, options);
	return succeeds(wrapInSandbox(inner.command, inner.args, options), cwd);
}

async function knowsSizes(bwrap: string, cwd: string): Promise<boolean> {
	const help = await tryCommand({ command: bwrap, args: ["--help"] }, cwd);
	return /^\s*--size\s/m.test(`${help.stdout.toString("latin1")}\n${help.stderr}`);
}
