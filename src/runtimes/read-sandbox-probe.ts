import { statSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { type Environment, readIfThere, readJsonFile, writeAtomically } from "@deputize/ground";
import type { UserPlace } from "../config/read-surroundings.ts";
import type { SandboxProbe } from "../contract/sandbox-probe.ts";
import { findExecutable } from "../process/find-executable.ts";
import { probeSandbox } from "../process/probe-sandbox.ts";

/**
 * The probe really tries to escape, which takes as long as starting a shell several times. Its answer is valid
 * until the program, the kernel, the user or the boot changes, so it is stored next to pi's settings.
 */
export async function readSandboxProbe(
	options: Pick<UserPlace, "env" | "agentDirectory">,
): Promise<SandboxProbe> {
	const file = join(options.agentDirectory, "deputize", "sandbox-probe.json");
	const key = describeMachine(options.env);
	const known = readKnown(file, key);
	if (known) return known;
	const probe = await probeSandbox(options.env);
	try {
		writeAtomically(file, JSON.stringify({ key, probe }));
	} catch {
		// Without the note the next run probes again; nothing else depends on it.
	}
	return probe;
}

function readKnown(file: string, key: string): SandboxProbe | undefined {
	const known = readJsonFile(file) as { key?: unknown; probe?: SandboxProbe } | undefined;
	return known?.key === key && typeof known.probe?.works === "boolean" ? known.probe : undefined;
}

function describeMachine(env: Environment): string {
	const bwrap = findExecutable("bwrap", env);
	const changed = bwrap ? statSync(bwrap).mtimeMs : 0;
	const boot = readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
	// The first entry changes when a probe learns to say more.
	return JSON.stringify([4, bwrap ?? null, changed, release(), boot, process.getuid?.() ?? null]);
}
