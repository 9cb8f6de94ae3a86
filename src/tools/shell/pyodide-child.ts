/**
 * The program inside the locked child. The command line already denies files, programs and code from text; this file
 * takes away what is left: the network, and every object of Node that Python could reach through JavaScript.
 */

import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

interface Job {
	readonly code: string;
	readonly marker: string;
}

interface Pyodide {
	readonly globals: { set(name: string, value: unknown): void };
	runPython(code: string): unknown;
	setStdout(options: { raw: (byte: number) => void }): void;
	setStderr(options: { raw: (byte: number) => void }): void;
}

const EXIT_FAILED = 1;
const FLUSH_BYTES = 8192;
const RETRY_MS = 5;
/** Reaching them, Python would have a network or the process itself. */
const NETWORK_GLOBALS = [
	"fetch",
	"WebSocket",
	"XMLHttpRequest",
	"EventSource",
	"Request",
	"Response",
	"navigator",
];

const PYTHON_PROGRAM = `
import ast as _ast, traceback as _traceback, sys as _sys
def _run(code):
    scope = {"__name__": "__main__"}
    tree = _ast.parse(code, "<code>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None
    exec(compile(tree, "<code>", "exec"), scope)
    return eval(compile(_ast.Expression(last.value), "<code>", "eval"), scope) if last is not None else None
def _main(code):
    shown, status = "", 0
    try:
        value = _run(code)
        shown = "" if value is None else repr(value)[:100000]
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        if stop.code is not None and not isinstance(stop.code, int):
            _sys.stderr.write(str(stop.code) + "\\n")
    except BaseException:
        status = 1
        _sys.stderr.write(_traceback.format_exc())
    _sys.stdout.flush()
    _sys.stderr.flush()
    import json
    return json.dumps({"result": shown, "status": status})
_main(_deputize_code)
`;

async function runPythonJob(directory: string): Promise<void> {
	const job = JSON.parse(readFileSync(0, "utf8")) as Job;
	const { loadPyodide } = (await import(pathToFileURL(`${directory}/pyodide.mjs`).href)) as {
		loadPyodide(options: unknown): Promise<Pyodide>;
	};
	allowPyodideToLoad();
	for (const name of NETWORK_GLOBALS) Reflect.deleteProperty(globalThis, name);
	const pyodide = await loadPyodide({
		indexURL: `${directory}/`,
		// Nothing of JavaScript for \`import js\`.
		jsglobals: Object.create(null),
		stdin: () => null,
	});
	const stdout = createByteWriter(1);
	const stderr = createByteWriter(2);
	pyodide.setStdout({ raw: stdout.push });
	pyodide.setStderr({ raw: stderr.push });
	pyodide.globals.set("_deputize_code", job.code);
	// The code's own time begins now.
	writeAll(1, Buffer.from(`${job.marker}ready\n`));
	const answer = JSON.parse(String(pyodide.runPython(PYTHON_PROGRAM))) as { result: string; status: number };
	stdout.flush();
	stderr.flush();
	writeAll(1, Buffer.from(`\n${job.marker}${JSON.stringify({ result: answer.result })}\n`));
	process.exit(answer.status);
}

/** Pyodide asks Node for its constants in a way that is refused in this mode; it only needs the table to exist. */
function allowPyodideToLoad(): void {
	Reflect.set(process, "binding", () => ({ fs: {}, os: {}, crypto: {}, zlib: {}, trace: {} }));
}

/** Waits for the reader: Python never gives the event loop a turn, so anything queued would only pile up. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
	let written = 0;
	while (written < bytes.length) {
		try {
			written += writeSync(descriptor, bytes, written);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
		}
	}
}

function createByteWriter(descriptor: number) {
	let pending: number[] = [];
	function flush(): void {
		if (pending.length > 0) writeAll(descriptor, Uint8Array.from(pending));
		pending = [];
	}
	return {
		flush,
		push(byte: number): void {
			pending.push(byte);
			if (byte === 10 || pending.length >= FLUSH_BYTES) flush();
		},
	};
}

runPythonJob(process.argv[2] ?? "").catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
	process.exit(EXIT_FAILED);
});
