/**
 * Runs in the sandboxed interpreter. It lowers its own limits for good (there is no capability left to raise them),
 * runs the code like an interactive session does, and tells the value of the last expression after a marker that the
 * code could not know in advance.
 */
export const PYTHON_WRAPPER = `
import ast, json, os, resource, sys, traceback
itself = os.getpid()
job = json.loads(sys.stdin.read())
def lower(limit, value):
    try:
        resource.setrlimit(limit, (value, value))
    except (ValueError, OSError):
        pass
lower(resource.RLIMIT_AS, job["memory"])
lower(resource.RLIMIT_CPU, job["seconds"])
lower(resource.RLIMIT_NPROC, job["processes"])
lower(resource.RLIMIT_FSIZE, job["memory"])
lower(resource.RLIMIT_CORE, 0)
lower(resource.RLIMIT_NOFILE, 64)
scope = {"__name__": "__main__"}
value = None
status = 0
try:
    tree = ast.parse(job["code"], "<code>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<code>", "exec"), scope)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<code>", "eval"), scope)
except SystemExit as stop:
    status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    if stop.code is not None and not isinstance(stop.code, int):
        sys.stderr.write(str(stop.code) + "\\n")
except MemoryError:
    scope.clear()
    status = 1
    sys.stderr.write("MemoryError: the memory limit was reached\\n")
except BaseException:
    status = 1
    kind, error, trace = sys.exc_info()
    frames = trace.tb_next if trace is not None else None
    sys.stderr.write("".join(traceback.format_exception(kind, error, frames)))
try:
    shown = "" if value is None else repr(value)[:100000]
except BaseException as error:
    shown = "<no representation: " + type(error).__name__ + ">"
sys.stderr.flush()
sys.stdout.flush()
if os.getpid() != itself:
    os._exit(status)
sys.stdout.buffer.write(("\\n" + job["marker"] + json.dumps({"result": shown}) + "\\n").encode())
sys.stdout.flush()
sys.exit(status)
`;
