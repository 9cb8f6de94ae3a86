import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeSandbox } from "../../../../src/sandbox/probe-sandbox.ts";
import { createPythonTool } from "../../../../src/tools/shell/create-python-tool.ts";

const probe = await probeSandbox({ env: process.env });
if (process.env["CI"] && !probe.works)
	throw new Error(`Python cannot be confined here (Debian packages bubblewrap and python3): ${probe.reason}`);
/** One for all: what works here is found out once. */
const tool = await createPythonTool({ env: process.env });
const test = it.skipIf("missing" in tool);

let port = 0;
let hits = 0;
const server = createServer((_request, response) => {
	hits += 1;
	response.end("reached");
});
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	port = (server.address() as AddressInfo).port;
});
afterAll(() => {
	server.close();
});

async function run(code: string, options: object = {}, signal = new AbortController().signal) {
	if ("missing" in tool) throw new Error(tool.missing);
	const outcome = await tool.execute({ code, ...options }, { cwd: "/", signal });
	return {
		isError: outcome.isError,
		...(JSON.parse(outcome.text) as {
			stdout: string;
			stderr: string;
			result: string;
			confinement: string;
			error?: string;
		}),
	};
}

/** What the machine should not let a program have, and a variable that the test has itself. */
const attempts = (variable: string): string => `
import os, socket, urllib.request
def attempt(name, work):
    try:
        print(name, "OPEN", repr(work())[:100])
    except BaseException as error:
        print(name, "refused")
attempt("passwd", lambda: open("/etc/passwd").read())
attempt("home", lambda: os.listdir(os.path.expanduser("~root")))
attempt("write", lambda: open("/usr/deputize-test", "w").write("x"))
attempt("environment", lambda: os.environ["${variable}"])
attempt("socket", lambda: socket.create_connection(("127.0.0.1", ${port}), timeout=2))
attempt("url", lambda: urllib.request.urlopen("http://127.0.0.1:${port}/", timeout=2).read())
attempt("processes", lambda: [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 50])
`;

function expectNothingReached(stdout: string): void {
	const lines = stdout
		.trim()
		.split("\n")
		.filter((line) => !/^processes OPEN \[\]$/.test(line));
	expect(lines.filter((line) => line.includes("OPEN"))).toEqual([]);
	expect(lines.length).toBeGreaterThanOrEqual(6);
	expect(hits).toBe(0);
}

describe("Python", () => {
	test("runs the standard library and tells the last value and the confinement", async () => {
		const reply = await run("import statistics, json, re\nprint('Zoë')\nstatistics.mean([1, 2, 3, 4])");
		expect(reply).toMatchObject({
			isError: false,
			stdout: "Zoë\n",
			result: "2.5",
			confinement: "bubblewrap",
		});
	});

	test("tells an exception as the model needs it", async () => {
		const reply = await run("def f():\n    return 1 / 0\nf()");
		expect(reply.isError).toBe(true);
		expect(reply.stderr).toContain("ZeroDivisionError");
		expect(reply.stderr).toContain("line 2");
	});

	test("reaches no file, no secret, no network and no program of this machine", async () => {
		expectNothingReached((await run(attempts("USER"))).stdout);
	});

	test("is stopped at the memory limit", async () => {
		const reply = await run("data = []\nwhile True:\n    data.append(bytearray(10_000_000))", {
			mem: "128m",
		});
		expect(reply.isError).toBe(true);
		expect(`${reply.error} ${reply.stderr}`).toMatch(/memory|MemoryError/i);
	});

	test("is stopped at the time limit", async () => {
		const reply = await run("print('begin', flush=True)\nwhile True:\n    pass", { timeout: 1 });
		expect(reply.error).toContain("did not finish within 1 s");
		expect(reply.stdout).toBe("begin\n");
	});

	test("is stopped when it prints without end", async () => {
		const reply = await run("while True:\n    print('x' * 1000)", { timeout: 60 });
		expect(reply.error).toContain("printed too much");
		expect(reply.stdout.length).toBeLessThanOrEqual(1024 * 1024);
	});

	test("survives a fork bomb", async () => {
		const reply = await run("import os\nwhile True:\n    os.fork()", { timeout: 5 });
		expect(reply.isError).toBe(true);
		expect(`${reply.error} ${reply.stderr}`).toMatch(/fork|Resource|Function|limit|exit code|finish/i);
	});
});

describe("what a program tells", () => {
	test.each([
		["nothing for a statement", "x = 1", { result: "", isError: false }],
		["nothing for None", "None", { result: "", isError: false }],
		["the value of the last expression only", "1\n'two'", { result: "'two'", stdout: "", isError: false }],
		["an exit code", "import sys\nsys.exit(3)", { error: "The code ended with exit code 3.", isError: true }],
		["a message given to exit", "raise SystemExit('no')", { isError: true, stderr: "no\n" }],
		["a signal", "import os\nos.kill(os.getpid(), 11)", { isError: true, result: "" }],
		[
			"a value that cannot be shown",
			"class A:\n    def __repr__(self): raise ValueError\nA()",
			{ result: "<no representation: ValueError>", isError: false },
		],
		["its own output where it looks like ours", 'print(\'\\ndeputize-1:{"result":"x"}\')', { result: "" }],
		[
			"a line that does not parse",
			"x = (",
			{ isError: true, stderr: expect.stringContaining("SyntaxError") },
		],
		["that there is no input", "input()", { isError: true, stderr: expect.stringContaining("EOFError") }],
	])("is %s", async (_what, code, expected) => {
		expect(await run(code)).toMatchObject(expected);
	});

	test("comes once, also from a program that forks", async () => {
		const code = "import os\nchild = os.fork()\nif child: os.waitpid(child, 0)\n'end'";
		expect(await run(code)).toMatchObject({
			result: "'end'",
			stdout: "",
			isError: false,
		});
	});

	test("keeps nothing for the next call", async () => {
		await run("secret = 1\nopen('/tmp/left', 'w').write('x')");
		const code = "import os\n('secret' in globals(), os.path.exists('/tmp/left'))";
		expect(await run(code)).toMatchObject({ result: "(False, False)" });
	});

	test("is that it was stopped when the call is cancelled", async () => {
		const reply = await run("import time\ntime.sleep(60)", {}, AbortSignal.timeout(300));
		expect(reply).toMatchObject({ error: "The code was stopped.", isError: true });
	});
});

describe("the tool", () => {
	it("is not there when Python cannot be confined", async () => {
		const absent = await createPythonTool({ env: { PATH: "" } });
		expect(absent).toEqual({
			missing: expect.stringMatching(
				/^Python is never run without a sandbox: install bubblewrap and python3/,
			),
		});
	});

	test.each([
		[{ code: 1 }, "code"],
		[{ code: "1", mem: "lots" }, "mem"],
		[{ code: "1", mem: "1m" }, "mem"],
		[{ code: "1", mem: "900g" }, "mem"],
		[{ code: "1", timeout: 0 }, "timeout"],
		[{ code: "1", timeout: 1e9 }, "timeout"],
		[{ code: "1", shell: true }, "shell"],
	])("refuses %j", async (input, name) => {
		if ("missing" in tool) throw new Error(tool.missing);
		const outcome = await tool.execute(input, { cwd: "/", signal: new AbortController().signal });
		expect(outcome.isError).toBe(true);
		expect(outcome.text).toContain(name);
	});
});
