import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import {
	asObject,
	type Environment,
	makePrivateDirectory,
	messageOf,
	openOwnDirectory,
	readIfThere,
	readJsonFile,
	writeAtomically,
} from "@deputize/ground";
import { findExecutable } from "../process/find-executable.ts";
import { type CommandEnding, runCommand } from "../process/run-command.ts";
import { locateCallFilter } from "./locate-call-filter.ts";
import type { Command, Policy } from "./policy.ts";
import { probeLayers } from "./probe-layers.ts";
import { parseSandboxProbe, type Sandbox, type SandboxProbe } from "./sandbox-probe.ts";
import { MECHANISM, wrap } from "./wrap.ts";

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

/** Succeeds on a machine without files, secrets and network of this one, where only a temporary directory can be written to. */
const EMPTINESS_CHECK = `
for place in /etc/passwd /home /root /var "$1"; do [ ! -e "$place" ] || exit 1; done
[ -z "$DEPUTIZE_PROBE_SECRET" ] && ! echo x 2>/dev/null > /usr/deputize-probe && echo x > /tmp/x || exit 1
grep -q '^CapEff:.*[1-9a-f]' /proc/self/status && exit 1
[ "$(grep -c : /proc/net/dev)" -le 1 ]
`;

/**
 * Whether processes can be confined here, determined by trying to escape. That a program is installed proves nothing: it
 * can be forbidden inside a container, and it does not confine root while a capability is left. This takes as long as
 * starting a shell several times; the answer is valid until the program, the kernel, the user or the boot changes, so
 * with an agent directory it is kept there.
 */
export async function probeSandbox({
	env,
	agentDirectory,
	isFresh = false,
}: {
	readonly env: Environment;
	readonly agentDirectory?: string | undefined;
	/** Tries again, whatever is known. */
	readonly isFresh?: boolean;
}): Promise<SandboxProbe> {
	let isComplete = true;
	const tryCommand = createTrial(env, () => {
		isComplete = false;
	});
	const find = () => findSandbox({ env, tryCommand }, agentDirectory);
	if (agentDirectory === undefined || isFresh) return find();
	const file = join(agentDirectory, "deputize", "sandbox-probe.json");
	const key = describeMachine(env);
	const known = asObject(readJsonFile(file));
	const before = known["key"] === key ? parseSandboxProbe(known["probe"]) : undefined;
	if (before) return before;
	const probe = await find();
	// What a busy machine did not finish is no answer for the next run.
	if (!isComplete) return probe;
	try {
		writeAtomically(file, JSON.stringify({ key, probe }));
	} catch {
		// Without the note the next run probes again; nothing else depends on it.
	}
	return probe;
}

function describeMachine(env: Environment): string {
	const program = findExecutable(MECHANISM.program, env);
	const changed = program ? statSync(program).mtimeMs : 0;
	const boot = readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
	// The first entry changes when a probe learns to say more.
	return JSON.stringify([6, program ?? null, changed, release(), boot, process.getuid?.() ?? null]);
}

interface Trial {
	readonly env: Environment;
	readonly tryCommand: (command: Command, cwd: string) => Promise<CommandEnding>;
}

async function findSandbox(trial: Trial, agentDirectory: string | undefined): Promise<SandboxProbe> {
	const { name, platform, packageName } = MECHANISM;
	if (process.platform !== platform)
		return noSandbox(`There is no sandbox for ${process.platform}: ${name} needs ${platform}.`);
	const program = findExecutable(MECHANISM.program, trial.env);
	if (program === undefined)
		return noSandbox(
			`${MECHANISM.program} is not on PATH. Install the package ${packageName} to confine children.`,
		);
	const directory = makePrivateDirectory("deputize-probe-");
	try {
		const probe = await tryToEscape(program, trial, directory);
		if (!probe.works) return probe;
		const layers = await findLayers(probe.sandbox, trial, agentDirectory);
		return { ...probe, sandbox: { ...probe.sandbox, layers } };
	} finally {
		removeQuietly(directory);
	}
}

/** Tried where layers will be, because that depends on the file system. */
async function findLayers(
	sandbox: Sandbox,
	{ tryCommand }: Trial,
	agentDirectory: string | undefined,
): Promise<Sandbox["layers"]> {
	let directory: string | undefined;
	try {
		const place = agentDirectory === undefined ? undefined : join(agentDirectory, "deputize");
		if (place !== undefined) openOwnDirectory(place).close();
		directory = makePrivateDirectory("layer-probe-", place);
		return await probeLayers(sandbox, { directory, run: (command) => tryCommand(command, "/") });
	} catch (error) {
		return { how: "none", reason: messageOf(error) };
	} finally {
		if (directory !== undefined) removeQuietly(directory);
	}
}

function noSandbox(reason: string): SandboxProbe {
	return { works: false, reason };
}

/** Leftovers of a probe must not fail a run: they are a few empty files in the temporary directory. */
function removeQuietly(directory: string): void {
	try {
		rmSync(directory, { recursive: true, force: true });
	} catch {
		// Not ours any more.
	}
}

async function tryToEscape(program: string, { tryCommand }: Trial, directory: string): Promise<SandboxProbe> {
	const inside = join(directory, "inside");
	const outside = join(directory, "outside");
	mkdirSync(inside);
	mkdirSync(outside);
	/** What it would be if everything worked, to try whether it does. */
	const sandbox: Sandbox = {
		...{ mechanism: MECHANISM.name, program },
		...{ hasSizes: true, hasFilter: true, nests: true, hasNobody: process.getuid?.() === 0 },
		layers: { how: "none", reason: "" },
	};
	const policy: Policy = { view: "machine", network: "shared", calls: "all", cwd: directory };
	const attempt = { command: "/bin/sh", args: ["-c", ESCAPE_ATTEMPT, "sh", inside, outside] };
	const ending = await tryCommand(wrap(attempt, { ...policy, writable: [inside] }, sandbox), directory);
	// If nothing confined it, the attempt removed our own permission; restore it, to look inside and to clean up.
	const wasChanged = (statSync(outside).mode & 0o777) === 0;
	if (wasChanged) chmodSync(outside, 0o700);
	if (ending.reason !== "exit" || ending.exitCode !== 0) {
		const detail = ending.message ?? ending.stderr.trim();
		return noSandbox(`${program} does not run here: ${detail || `exit code ${ending.exitCode}`}`);
	}
	if (wasChanged || readdirSync(outside).length > 0 || ending.stderr.includes("escaped"))
		return noSandbox(`${program} runs here but does not confine: a write outside got through.`);
	if (!/^CapEff:\s0+$/m.test(ending.stdout.toString("latin1")))
		return noSandbox(`${program} runs here but leaves capabilities to the child.`);

	const succeeds = async (command: Command): Promise<boolean> => {
		const { reason, exitCode } = await tryCommand(command, "/");
		return reason === "exit" && exitCode === 0;
	};
	const nothing = { command: "/bin/sh", args: ["-c", "exit 0"] };
	const check = { command: "/bin/sh", args: ["-c", EMPTINESS_CHECK, "sh", directory] };
	const empty = { view: "nothing", network: "none", calls: "all", cwd: "/" } as const;
	const memory = 1024 * 1024;
	const [hasSizes, hasFilter, nests, hasNobody] = await Promise.all([
		succeeds(wrap(check, { ...empty, memory, environment: { PATH: "/usr/bin:/bin" } }, sandbox)),
		locateCallFilter("own-no-sockets") !== undefined &&
			succeeds(wrap(nothing, { ...policy, calls: "own-no-sockets" }, sandbox)),
		// Containers and kernels often allow one sandbox but none inside of it.
		succeeds(wrap(wrap(nothing, policy, sandbox), policy, sandbox)),
		sandbox.hasNobody && succeeds(wrap(nothing, { ...empty, isNobody: true }, sandbox)),
	]);
	const reason = `${program} confines here: writes outside were refused.`;
	return { works: true, reason, sandbox: { ...sandbox, hasSizes, hasFilter, nests, hasNobody } };
}

function createTrial(env: Environment, onUnfinished: () => void): Trial["tryCommand"] {
	const surroundings = { PATH: env["PATH"] ?? "/usr/bin:/bin", DEPUTIZE_PROBE_SECRET: "1" };
	return async (command, cwd) => {
		const ending = await runCommand({
			...command,
			cwd,
			env: surroundings,
			maxStdoutBytes: PROBE_OUTPUT_BYTES,
		});
		if (ending.reason === "timeout") onUnfinished();
		return ending;
	};
}
