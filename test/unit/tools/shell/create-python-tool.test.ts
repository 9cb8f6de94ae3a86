import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeSandbox } from "../../../../src/sandbox/probe-sandbox.ts";
import { createPythonTool } from "../../../../src/tools/shell/create-python-tool.ts";
import { findPyodide } from "../../../../src/tools/shell/run-python-in-pyodide.ts";

const available = {
	bubblewrap: (await probeSandbox({ env: process.env })).works,
	pyodide: findPyodide() !== undefined,
};
if (process.env["CI"]) {
	if (!available.bubblewrap)
		throw new Error(
			"bubblewrap does not confine Python here: install the Debian packages bubblewrap and python3.",
		);
	if (!available.pyodide) throw new Error("pyodide is not installed: run npm ci without --omit=optional.");
}

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

async function run(
	only: string,
	code: string,
	options: object = {},
	tool = createPythonTool({ env: process.env, only }),
) {
	const outcome = await tool.execute(
		{ code, ...options },
		{ cwd: "/", signal: new AbortController().signal },
	);
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

const LIBRARY = "import statistics, json, re\nprint('Zoë')\nstatistics.mean([1, 2, 3, 4])";

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

describe.each(["bubblewrap", "pyodide"] as const)("Python in %s", (only) => {
	const test = it.skipIf(!available[only]);

	// Pyodide takes seconds to start: what is the same code in both is tried in one, and below many things in one start.
	it.skipIf(!available[only] || only === "pyodide")(
		"runs the standard library and tells the last value and the confinement",
		async () => {
			const reply = await run(only, LIBRARY);
			expect(reply).toMatchObject({ isError: false, stdout: "Zoë\n", result: "2.5", confinement: only });
		},
	);

	it.skipIf(!available[only] || only === "pyodide")("tells an exception as the model needs it", async () => {
		const reply = await run(only, "def f():\n    return 1 / 0\nf()");
		expect(reply.isError).toBe(true);
		expect(reply.stderr).toContain("ZeroDivisionError");
		expect(reply.stderr).toContain("line 2");
	});

	it.skipIf(!available[only] || only === "pyodide")(
		"reaches no file, no secret, no network and no program of this machine",
		async () => {
			expectNothingReached((await run(only, attempts("USER"))).stdout);
		},
		90_000,
	);

	test("is stopped at the memory limit", async () => {
		const reply = await run(only, "data = []\nwhile True:\n    data.append(bytearray(10_000_000))", {
			mem: "128m",
		});
		expect(reply.isError).toBe(true);
		expect(`${reply.error} ${reply.stderr}`).toMatch(/memory|MemoryError/i);
	}, 90_000);

	test("is stopped at the time limit", async () => {
		const reply = await run(only, "print('begin', flush=True)\nwhile True:\n    pass", { timeout: 1 });
		expect(reply.error).toContain("did not finish within 1 s");
		expect(reply.stdout).toBe("begin\n");
	}, 90_000);

	test("is stopped when it prints without end", async () => {
		const reply = await run(only, "while True:\n    print('x' * 1000)", { timeout: 60 });
		expect(reply.error).toContain("printed too much");
		expect(reply.stdout.length).toBeLessThanOrEqual(1024 * 1024);
	}, 90_000);

	it.skipIf(!available[only] || only === "pyodide")(
		"survives a fork bomb",
		async () => {
			const reply = await run(only, "import os\nwhile True:\n    os.fork()", { timeout: 5 });
			expect(reply.isError).toBe(true);
			expect(`${reply.error} ${reply.stderr}`).toMatch(/fork|Resource|Function|limit|exit code|finish/i);
		},
		90_000,
	);
});

describe("what a program tells", () => {
	const test = it.skipIf(!available.bubblewrap);
	// One for all: that bubblewrap confines is found out once.
	const tool = createPythonTool({ env: process.env, only: "bubblewrap" });

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
		expect(await run("bubblewrap", code, {}, tool)).toMatchObject(expected);
	});

	test("comes once, also from a program that forks", async () => {
		const code = "import os\nchild = os.fork()\nif child: os.waitpid(child, 0)\n'end'";
		expect(await run("bubblewrap", code, {}, tool)).toMatchObject({
			result: "'end'",
			stdout: "",
			isError: false,
		});
	});

	test("keeps nothing for the next call", async () => {
		const context = { cwd: "/", signal: new AbortController().signal };
		await tool.execute({ code: "secret = 1\nopen('/tmp/left', 'w').write('x')" }, context);
		const code = "import os\n('secret' in globals(), os.path.exists('/tmp/left'))";
		const { text } = await tool.execute({ code }, context);
		expect(JSON.parse(text)).toMatchObject({ result: "(False, False)" });
	});

	test("is that it was stopped when the call is cancelled", async () => {
		const outcome = await tool.execute(
			{ code: "import time\ntime.sleep(60)" },
			{ cwd: "/", signal: AbortSignal.timeout(300) },
		);
		expect(JSON.parse(outcome.text)).toMatchObject({ error: "The code was stopped." });
		expect(outcome.isError).toBe(true);
	});
});

describe("Python in pyodide, and JavaScript behind it", () => {
	it.skipIf(!available.pyodide)(
		"runs the standard library, and reaches nothing of this machine, of Node or of the network",
		async () => {
			const reply = await run(
				"pyodide",
				`
${attempts("NODE_ENV")}
import pyodide_js
def from_js(name):
    import js
    return getattr(js, name)
attempt("process", lambda: from_js("process"))
attempt("fetch", lambda: from_js("fetch"))
attempt("function", lambda: pyodide_js.runPython.constructor("return process.env")())
attempt("mount", lambda: pyodide_js.mountNodeFS("/mnt", "/etc"))
attempt("open_url", lambda: __import__("pyodide.http").http.open_url("http://127.0.0.1:${port}/"))
pyodide_js.loadPackage("http://127.0.0.1:${port}/x.whl")
${LIBRARY}
`,
			);
			expect(reply).toMatchObject({ isError: false, result: "2.5", confinement: "pyodide" });
			const [reached = "", rest] = reply.stdout.split("Zoë\n");
			expect(rest).toBe("");
			expectNothingReached(reached);
			for (const name of ["process", "fetch", "function", "mount", "open_url"])
				expect(reached).toContain(`${name} refused\n`);
		},
		90_000,
	);
});

describe("the tool", () => {
	it("says no when Python cannot be confined", async () => {
		const tool = createPythonTool({ env: { PATH: "" }, only: "bubblewrap" });
		const outcome = await tool.execute({ code: "1" }, { cwd: "/", signal: new AbortController().signal });
		expect(outcome.isError).toBe(true);
		expect(outcome.text).toContain("never run without");
	});

	it.each([
		[{ code: 1 }, "code"],
		[{ code: "1", mem: "lots" }, "mem"],
		[{ code: "1", mem: "1m" }, "mem"],
		[{ code: "1", mem: "900g" }, "mem"],
		[{ code: "1", timeout: 0 }, "timeout"],
		[{ code: "1", timeout: 1e9 }, "timeout"],
		[{ code: "1", shell: true }, "shell"],
	])("refuses %j", async (input, name) => {
		const outcome = await createPythonTool({ env: process.env }).execute(input, {
			cwd: "/",
			signal: new AbortController().signal,
		});
		expect(outcome.isError).toBe(true);
		expect(outcome.text).toContain(name);
	});
});
