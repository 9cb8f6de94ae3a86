import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../src/process/run-command.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../../src/sandbox/sandbox-probe.ts";
import { confine } from "../helpers/confine.ts";

let probe: SandboxProbe;
const hasFilter = (found: SandboxProbe): boolean => found.works && found.sandbox.hasFilter;
beforeAll(async () => {
	probe = await probeSandbox({ env: process.env });
	const isKnown = process.arch === "x64" || process.arch === "arm64";
	if (!hasFilter(probe) && isKnown && process.env["CI"] === "true")
		throw new Error(`These tests need bubblewrap and seccomp: ${probe.reason}`);
});

/** Numbers of system calls: x64, arm64. */
const CALLS = {
	ptrace: [101, 117],
	keyctl: [250, 219],
	bpf: [321, 280],
	process_vm_readv: [310, 270],
} as const;

async function runFiltered(script: string, unixSockets: boolean): Promise<string> {
	const command = { command: "perl", args: ["-e", script] };
	const wrapped = confine(probe, command, { cwd: "/", calls: unixSockets ? "own" : "own-no-sockets" });
	const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C" };
	const ending = await runCommand({ ...wrapped, cwd: "/", env, timeoutMs: 30_000, maxStdoutBytes: 10_000 });
	return `${ending.stdout.toString("utf8")}${ending.stderr}`;
}

const OPEN_SOCKETS = `
print "unix ", (socket(my $s, 1, 1, 0) ? "made" : $!), "\\n";
print "internet ", (socket(my $t, 2, 1, 0) ? "made" : $!), "\\n";
print "pair ", (socketpair(my $a, my $b, 1, 1, 0) ? "made" : $!), "\\n";
print "descriptor ", (-e "/proc/self/fd/9" ? "left open" : "closed"), "\\n";`;

describe("what a confined process may ask the kernel for", () => {
	it("leaves no unix socket to make, abstract or not, where it needs none", async () => {
		if (!hasFilter(probe)) return;
		expect(await runFiltered(OPEN_SOCKETS, false)).toBe(
			"unix Operation not permitted\ninternet made\npair made\ndescriptor closed\n",
		);
		expect(await runFiltered(OPEN_SOCKETS, true)).toContain("unix made\n");
	});

	it("leaves out other processes, the user's keys and the kernel's programs", async () => {
		if (!hasFilter(probe)) return;
		const index = process.arch === "x64" ? 0 : 1;
		const script = Object.entries(CALLS)
			.map(
				([name, numbers]) =>
					`print "${name} ", (syscall(${numbers[index]}, 0, -3, 0, 0, 0, 0) < 0 ? $! : "done"), "\\n";`,
			)
			.join("");
		const refused = Object.keys(CALLS).map((name) => `${name} Operation not permitted\n`);
		expect(await runFiltered(script, true)).toBe(refused.join(""));
	});
});
