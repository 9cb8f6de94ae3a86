import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../contract/environment.ts";
import type { SandboxProbe } from "../contract/sandbox-probe.ts";
import { findExecutable } from "../process/find-executable.ts";
import { probeSandbox } from "../process/probe-sandbox.ts";

/**
 * The probe really tries to escape, which takes as long as starting a shell several times. Its answer is valid
 * until the program, the kernel, the user or the boot changes, so it is stored next to pi's settings.
 */
export async function readSandboxProbe(options: {
	readonly env: Environment;
	readonly agentDirectory: string;
}): Promise<SandboxProbe> {
	const file = join(options.agentDirectory, "deputize", "sandbox-probe.json");
	const key = describeMachine(options.env);
	const known = readKnown(file, key);
	if (known) return known;
	const probe = await probeSandbox(options.env);
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		writeFileSync(file, JSON.stringify({ key, probe }), { mode: 0o600 });
	} catch {
		// Without the note the next run probes again; nothing else depends on it.
	}
	return probe;
}

function readKnown(file: string, key: string): SandboxProbe | undefined {
	try {
		const parsed = JSON.parse(readFileSync(file, "utf8")) as { key?: unknown; probe?: SandboxProbe };
		return parsed.key === key && typeof parsed.probe?.works === "boolean" ? parsed.probe : undefined;
	} catch {
		return undefined;
	}
}

function describeMachine(env: Environment): string {
	const bwrap = findExecutable("bwrap", env);
	const changed = bwrap ? statSync(bwrap).mtimeMs : 0;
	// The first entry changes when a probe learns to say more.
	return JSON.stringify([4, bwrap ?? null, changed, release(), bootId(), process.getuid?.() ?? null]);
}

function bootId(): string {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		return "";
	}
}
