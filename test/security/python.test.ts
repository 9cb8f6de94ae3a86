import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../src/contract/config.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { createToolbox } from "../../src/toolbox/create-toolbox.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// Review of 0652d9e, "Setup, language servers, converters, Python", 3, 5 and 6.

const probe = await probeSandbox({ env: process.env });
let home: TestHome;
beforeAll(() => {
	if (!probe.works && process.env["CI"] === "true")
		throw new Error(`These tests need bubblewrap: ${probe.reason}`);
	home = createTestHome();
});
afterAll(() => home.remove());

function openTools(env: Readonly<Record<string, string>>, onMissing?: (name: string, why: string) => void) {
	const toolbox = createToolbox({
		...{ env, cwd: home.project, home: home.home, agentDirectory: home.agentDirectory },
		...{ storeDirectory: () => home.home, temporaryDirectory: () => home.home },
		config: () => DEFAULT_CONFIG,
		lsp: { mode: "child", allowedActions: [], projectTrusted: false },
		...(onMissing ? { onMissing } : {}),
	});
	return toolbox.open(["python_execute"]);
}

async function run(code: string, options: object = {}) {
	const [tool] = await openTools(home.env);
	if (tool === undefined) throw new Error("python_execute is not offered.");
	const { text } = await tool.execute(
		{ code, ...options },
		{ cwd: home.project, signal: new AbortController().signal },
	);
	return JSON.parse(text) as { stdout: string; stderr: string; error?: string; confinement: string };
}

/** Numbers of system calls: x64, arm64. */
const CALLS = {
	add_key: [248, 217],
	request_key: [249, 218],
	keyctl: [250, 219],
	ptrace: [101, 117],
	io_uring_setup: [425, 425],
	memfd_create: [319, 279],
	shmget: [29, 194],
	msgget: [68, 186],
	mount: [165, 40],
	fsopen: [430, 430],
} as const;

const PRELUDE = `
import ctypes, errno, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    ctypes.set_errno(0)
    done = libc.syscall(*args)
    print(name, errno.errorcode[ctypes.get_errno()] if done < 0 else "done")
`;

describe.runIf(probe.works)("what Python may ask the kernel for", () => {
	it("leaves out the user's keys, other processes and memory that counts nowhere", async () => {
		const index = process.arch === "x64" ? 0 : 1;
		const tries = Object.entries(CALLS).map(
			([name, numbers]) => `call("${name}", ${numbers[index]}, 0, 0, 0, 0, 0)`,
		);
		const { stdout } = await run(`${PRELUDE}${tries.join("\n")}`);
		expect(stdout.trim().split("\n")).toEqual(Object.keys(CALLS).map((name) => `${name} EPERM`));
	});

	it("still does what programs need", async () => {
		const reply = await run(
			`
import asyncio, multiprocessing, subprocess, tempfile, threading
from concurrent.futures import ThreadPoolExecutor
print(sum(ThreadPoolExecutor(4).map(abs, range(5))))
print(subprocess.run(["sort"], input="b\\na\\n", text=True, capture_output=True).stdout.split())
async def main():
    process = await asyncio.create_subprocess_exec("echo", "sub", stdout=-1)
    return (await process.communicate())[0]
print(asyncio.run(main()))
ours, theirs = multiprocessing.Pipe()
child = multiprocessing.Process(target=lambda: theirs.send([1, 2]))
child.start(); print(ours.recv()); child.join()
with tempfile.NamedTemporaryFile() as file: file.write(b"x" * 1000000); print(file.tell())
import sqlite3; print(sqlite3.connect("/tmp/db").execute("select 1").fetchone())`,
		);
		expect(reply.stdout.trim().split("\n")).toEqual([
			"10",
			"['a', 'b']",
			"b'sub\\n'",
			"[1, 2]",
			"1000000",
			"(1,)",
		]);
	});
});

describe.runIf(probe.works)("the memory of Python", () => {
	/** What stays of a machine's memory when it is taken in a way that a count of resident pages does not see. */
	it.each([
		["memory files", 'f = os.memfd_create("x"); os.ftruncate(f, 1 << 28); kept.append(f)'],
		["shared memory that is given back to nobody", SHARED("-1")],
		["shared memory of a device", SHARED('os.open("/dev/zero", os.O_RDWR)')],
		["files in memory of a namespace of its own", NAMESPACE()],
	])("cannot be taken as %s", async (_name, take) => {
		const { stdout, stderr } = await run(
			`import ctypes, mmap, os\nkept = []\ntry:\n    ${take}\n    print("TAKEN")\nexcept (OSError, ValueError) as error:\n    print("refused", type(error).__name__)`,
		);
		expect(`${stdout}${stderr}`).toMatch(/^refused/);
	});
});

function SHARED(descriptor: string): string {
	return `m = mmap.mmap(${descriptor}, 1 << 26); m.madvise(mmap.MADV_DONTNEED); kept.append(m)`;
}

function NAMESPACE(): string {
	return [
		"libc = ctypes.CDLL(None, use_errno=True)",
		"done = libc.unshare(0x10020000)",
		'done = libc.mount(b"none", b"/tmp", b"tmpfs", 0, b"size=3g")',
		"if done < 0: raise OSError(ctypes.get_errno())",
	].join("\n    ");
}

describe("where nothing confines", () => {
	it("Python is not offered, and who asked is told what to install", async () => {
		const told: string[] = [];
		const tools = await openTools({ ...home.env, PATH: "/nowhere" }, (name, why) =>
			told.push(`${name}: ${why}`),
		);
		expect(tools).toEqual([]);
		expect(told).toEqual([expect.stringMatching(/^python_execute: .*install bubblewrap and python3/)]);
	});
});
