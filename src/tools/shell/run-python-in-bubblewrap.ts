import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import type { Environment } from "@deputize/ground";
import { findExecutable } from "../../process/find-executable.ts";
import { type CommandEnding, type CommandSpec, runCommand } from "../../process/run-command.ts";
import { MAX_PYTHON_OUTPUT_BYTES, type PythonLimits } from "./python-limits.ts";
import { PYTHON_WRAPPER } from "./python-wrapper.ts";

const MEGABYTE = 1024 * 1024;
const MAX_PROCESSES = 32;
const PROBE_TIMEOUT_MS = 10_000;
const SYSTEM_PYTHONS = ["/usr/bin/python3", "/usr/local/bin/python3"];
/** What an interpreter of the system needs, and nothing of /etc, /home, /root, /var, /run or the working directory. */
const SYSTEM_DIRECTORIES = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"];
const NOBODY = "65534";

export interface BubblewrapPython {
	readonly prefix: readonly string[];
	readonly bwrap: string;
	readonly python: string;
}

export interface PythonJob extends PythonLimits {
	readonly code: string;
	readonly marker: string;
	readonly signal: AbortSignal;
}

/** Tries to reach what it must not reach. Prints one word for each way out that is open. */
const ESCAPE_ATTEMPT = `
import os, socket
def try_it(name, work):
    try:
        work()
        print("OPEN", name)
    except BaseException:
        pass
def connect():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("192.0.2.1", 9)); s.send(b"x")
try_it("network", connect)
try_it("write", lambda: open("/usr/deputize-probe", "w"))
try_it("home", lambda: os.listdir("/root") or os.listdir("/home"))
try_it("passwd", lambda: open("/etc/passwd").read())
try_it("environment", lambda: os.environ["DEPUTIZE_PROBE_SECRET"])
caps = [line for line in open("/proc/self/status") if line.startswith("CapEff")][0].split()[1]
print("OPEN capabilities" if int(caps, 16) else "CONFINED")
`;

/** The system's Python in bubblewrap, if trying to escape from it fails in every way here; undefined otherwise. */
export async function findBubblewrapPython(env: Environment): Promise<BubblewrapPython | undefined> {
	if (process.platform !== "linux") return undefined;
	const bwrap = findExecutable("bwrap", env);
	const python = SYSTEM_PYTHONS.find((path) => existsSync(path) && realpathSync(path).startsWith("/usr/"));
	if (bwrap === undefined || python === undefined) return undefined;
	for (const prefix of listPrefixes()) {
		const candidate = { prefix, bwrap, python };
		if (await confines(candidate)) return candidate;
	}
	return undefined;
}

/** The limit on processes does not apply to root, so root becomes nobody first where that works. */
function listPrefixes(): readonly (readonly string[])[] {
	const setpriv = "/usr/bin/setpriv";
	const isRoot = process.getuid?.() === 0;
	const asNobody = [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
	return isRoot && existsSync(setpriv) ? [asNobody, []] : [[]];
}

async function confines(candidate: BubblewrapPython): Promise<boolean> {
	const ending = await runCommand({
		...buildBubblewrapCommand(candidate, ["-I", "-S", "-c", ESCAPE_ATTEMPT], 64),
		env: { DEPUTIZE_PROBE_SECRET: "1" },
		timeoutMs: PROBE_TIMEOUT_MS,
		maxStdoutBytes: 4096,
	});
	return ending.exitCode === 0 && ending.stdout.toString("utf8").trim() === "CONFINED";
}

export async function runPythonInBubblewrap(found: BubblewrapPython, job: PythonJob): Promise<CommandEnding> {
	return await runCommand({
		...buildBubblewrapCommand(found, ["-I", "-X", "utf8", "-c", PYTHON_WRAPPER], job.memoryMb),
		env: {},
		input: JSON.stringify({
			code: job.code,
			marker: job.marker,
			memory: job.memoryMb * MEGABYTE,
			seconds: Math.ceil(job.timeoutMs / 1000) + 1,
			processes: MAX_PROCESSES,
		}),
		timeoutMs: job.timeoutMs,
		signal: job.signal,
		maxStdoutBytes: MAX_PYTHON_OUTPUT_BYTES,
		maxStderrBytes: 64 * 1024,
		// Of all its processes together; the interpreter's own limit is for each of them.
		maxRssMb: job.memoryMb + 64,
	});
}

function buildBubblewrapCommand(
	found: BubblewrapPython,
	pythonArgs: readonly string[],
	memoryMb: number,
): Pick<CommandSpec, "command" | "args" | "cwd"> {
	const [command = "", ...args] = [
		...found.prefix,
		found.bwrap,
		...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
		...SYSTEM_DIRECTORIES.flatMap(bindSystemDirectory),
		...["--proc", "/proc", "--dev", "/dev"],
		// Files written there are memory too.
		...["--size", String(Math.min(memoryMb, 64) * MEGABYTE), "--tmpfs", "/tmp"],
		...["--chdir", "/tmp", "--setenv", "HOME", "/tmp", "--setenv", "PATH", "/usr/bin:/bin"],
		...["--setenv", "LANG", "C.UTF-8", "--remount-ro", "/dev", "--remount-ro", "/", "--"],
		found.python,
		...pythonArgs,
	];
	return { command, args, cwd: "/" };
}

function bindSystemDirectory(path: string): readonly string[] {
	if (!existsSync(path)) return [];
	return lstatSync(path).isSymbolicLink()
		? ["--symlink", readlinkSync(path), path]
		: ["--ro-bind", path, path];
}
