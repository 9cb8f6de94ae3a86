import type { ExitStatus } from "./open-child.ts";

/** Signals whose deaths a wrapper (a sandbox, a shell script) reports as 128 plus the number of the signal. */
const CRASHES: Readonly<Record<number, string>> = {
	132: "SIGILL",
	133: "SIGTRAP",
	134: "SIGABRT",
	135: "SIGBUS",
	136: "SIGFPE",
	137: "SIGKILL",
	139: "SIGSEGV",
};

/**
 * How the program itself ended, seen through a wrapper that can only exit with a code. Codes of signals that
 * programs handle and then exit with themselves (143 after SIGTERM) stay codes.
 */
export function parseExit({ exitCode, signal }: ExitStatus): ExitStatus {
	const crash = exitCode === null ? undefined : CRASHES[exitCode];
	return crash === undefined ? { exitCode, signal } : { exitCode: null, signal: crash };
}
