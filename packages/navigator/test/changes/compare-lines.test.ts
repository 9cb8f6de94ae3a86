import { describe, expect, it } from "vitest";
import { drive, finishParsing, indexTree } from "../../../../test/helpers/navigator-tree.ts";
import { checkAddedLines } from "../../changes/check-added-lines.ts";
import { compareTexts } from "../../changes/compare-texts.ts";
import { collectFindings } from "../../changes/render-review.ts";

function review(path: string, before: string, after: string, around: Record<string, string> = {}): string[] {
	const index = indexTree([[path, after], ...Object.entries(around)]);
	const found = finishParsing(() =>
		collectFindings({
			agent: "reviewer",
			facts: { commits: [] },
			changes: { title: "", files: [compareTexts(path, before, after)] },
			index,
			steps: [],
			verbose: true,
		}),
	);
	return found.map(({ line, reason }) => `${line} ${reason}`);
}

const FAULTS: readonly (readonly [path: string, before: string, after: string, found: string])[] = [
	[
		"a.js",
		"async () => {\n  const x = await load(1);\n}\n",
		"async () => {\n  const x = load(1);\n}\n",
		"2 `await` before `load` was removed",
	],
	[
		"a.py",
		"with open(p) as f:\n    return f.read()\n",
		"f = open(p)\nreturn f.read()\n",
		"1 `open` is no longer closed by itself",
	],
	[
		"a.go",
		"f, err := os.Open(p)\ndefer f.Close()\nread(f)\n",
		"f, err := os.Open(p)\nread(f)\n",
		"2 removed; `f` is still used, and nothing near closes it",
	],
	[
		"a.ts",
		"if (user === undefined) return;\nshow(user.name);\n",
		"show(user.name);\n",
		"1 the check of `user` before was removed",
	],
	["a.ts", "if (!isOpen) close();\n", "if (isOpen) close();\n", "1 only `!` was removed"],
	["a.go", "if a < b {\n}\n", "if a <= b {\n}\n", "1 only `<` became `<=`"],
	["a.py", "x()\n", "try:\n    x()\nexcept ValueError:\n    pass\n", "3 error swallowed"],
	["a.js", "x();\n", "for (let i = 0; i <= list.length; i += 1) {}\n", "1 runs one past the end"],
	["A.java", "x();\n", 'if (name == "admin") { x(); }\n', "1 texts compared by identity"],
	["a.sh", "x\n", "rm -rf $target/build\n", "1 value without quotes, which a space or nothing in it changes"],
	["a.go", "x()\n", "_ = save(x)\n", "1 error dropped"],
	["a.js", "x();\n", "send(body, address);\n", "1 `send` takes `address`, `body` in this order"],
	["a.js", "await Promise.all(jobs);\n", "Promise.all(jobs);\n", "1 only `await` was removed"],
	["a.js", "return a + b;\n", "a + b;\n", "1 only `return` was removed"],
	[
		"a.js",
		"x.sort((a, b) => b.at - a.at);\n",
		"x.sort((a, b) => a.at - b.at);\n",
		"1 only the sides of `-` were exchanged",
	],
	["a.js", "if (a && b) x();\n", "if (a) x();\n", "1 only `&& b` was removed"],
	["a.js", "show(escape(x));\n", "show(x);\n", "1 only `escape()` around it was removed"],
	[
		"a.js",
		'if (a === "x" || a === "y") go();\n',
		'if (a === "x" || "y") go();\n',
		"1 a text by itself is always true",
	],
	[
		"a.js",
		"if (!row) {\n  throw new Error();\n}\nsend({ ...row });\n",
		"send({ ...row });\n",
		"1 the check of `row` before was removed",
	],
	[
		"a.py",
		"with _lock:\n    cache[key] = value\n",
		"cache[key] = value\n",
		"1 the lock that was here was removed",
	],
	["a.py", "except KeyError:\n    x()\n", "except Exception:\n    x()\n", "1 catches every error now"],
	["a.py", "if last:\n    raise\n", "pass\n", "1 the error is no longer passed on"],
	["a.go", "return names, rows.Err()\n", "return names, nil\n", "1 only `rows . Err ( )` became `nil`"],
	[
		"a.c",
		"if (bad) {\n  fclose(f);\n  return 1;\n}\nfclose(f);\n",
		"if (bad) {\n  return 1;\n}\nfclose(f);\n",
		"2 `fclose(f);` before was removed",
	],
	[
		"a.js",
		"try {\n  if (!f.ok) {\n    f.close();\n    return 1;\n  }\n} finally {\n  log(f);\n}\n",
		"try {\n  if (!f.ok) {\n    return 1;\n  }\n} finally {\n  log(f);\n}\n",
		"3 `f.close();` before was removed",
	],
	["a.js", "x = a?.b ?? 0;\n", "x = a.b;\n", "1 only the case that it is missing was removed"],
	["a.js", "x = a?.b;\n", "x = a.b;\n", "1 only `?.` was removed"],
	["a.c", "char *copy = malloc(n + 1);\n", "char *copy = malloc(n);\n", "1 only `+ 1` was removed"],
	["a.c", "use(x);\nfree(x);\n", "free(x);\nuse(x);\n", "1 `x` is used after it was freed"],
	["a.c", "x();\n", "printf(name);\n", "1 a value as the format"],
	["a.sh", "set -e\nx\n", "x\n", "1 the stop on errors that was here was removed"],
	[
		"a.rb",
		"File.open(p) do |f|\n  f.puts x\nend\n",
		"f = File.open(p)\nf.puts x\n",
		"1 `open` is no longer closed by itself",
	],
	[
		"A.php",
		"$s = $db->prepare('SELECT 1 WHERE a = ?');\n",
		"$s = $db->query(\"SELECT 1 WHERE a = '$a'\");\n",
		"1 the prepared query that was here was removed",
	],
	["A.cs", "x();\n", "public async void Save() {}\n", "1 nobody can wait for it"],
	...(
		[
			["a.py", "with transaction.atomic():\n    save(x)\n", "save(x)\n", "transaction"],
			["a.py", "@transaction.atomic\ndef save(x):\n", "def save(x):\n", "transaction"],
			["A.java", "@Transactional\nvoid save() {\n", "void save() {\n", "transaction"],
			["a.rb", "Order.transaction { save(x) }\n", "save(x)\n", "transaction"],
			["a.js", "await db.transaction(() => save(x));\n", "await save(x);\n", "transaction"],
			["a.py", "r = get(url, timeout=5)\n", "r = get(url)\n", "time limit"],
			["a.js", "get(url, { timeout: 5 });\n", "get(url, {});\n", "time limit"],
			["a.sh", "timeout 5 ping x\n", "ping x\n", "time limit"],
			["a.go", "ctx, stop := context.WithDeadline(ctx, at)\nrun(ctx)\n", "run(ctx)\n", "time limit"],
			["a.cc", "std::atomic<int> count;\n", "int count;\n", "atomic value"],
		] as const
	).map(
		([path, before, after, what]) =>
			[path, before, after, `1 the ${what} that was here was removed`] as const,
	),
];
const AROUND = { "lib/send.js": "export function send(address, body) {}\n" };

describe("what a change took away", () => {
	it.each(FAULTS)("%s: %s", (path, before, after, found) => {
		expect(review(path, before, after, AROUND)).toContain(found);
	});

	it.each([
		["a.js", "const x = await load(1);\n", "return load(1);\n"],
		["a.js", "const x = await load(1);\n", "const [x] = await Promise.all([load(1)]);\n"],
		["a.js", "x();\n", "if (!x) return list.pop();\n"],
		["a.ts", "if (user === undefined) return;\nshow(user.name);\n", "show(user?.name);\n"],
		["a.go", "defer f.Close()\nread(f)\n", "read(f)\nf.Close()\n"],
		["a.py", "with open(p) as f:\n    use(f)\n", "with open(p, 'rb') as f:\n    use(f)\n"],
		["a.sh", "x\n", 'rm -rf "$target/build"\n'],
		["a.js", "x();\n", "send(address, body);\n"],
		["a.js", "const total = a + b;\n", "const sum = a + b;\n"],
		["a.js", "for (const x of list) use(x);\n", "for (const item of list) use(item);\n"],
		["a.js", "if (!key) return;\nsave(key);\n", "each(([key, value]) => save(key, value));\n"],
		["a.ts", 'export { b, a } from "./x.ts";\n', 'export { a, b } from "./x.ts";\n'],
		["a.go", "if err != nil {\n\treturn err\n}\n", 'if err != nil {\n\treturn fmt.Errorf("x: %w", err)\n}\n'],
		["a.py", "with lock:\n    x()\n", "with self.lock:\n    x()\n"],
		["a.c", "char *a = get(b, 1);\n", "char *a = get(b, 2);\n"],
		[
			"a.js",
			"try {\n  use(f);\n  f.close();\n  return 1;\n} catch (e) {\n  log(e);\n}\n",
			"try {\n  use(f);\n  return 1;\n} catch (e) {\n  log(e);\n} finally {\n  f.close();\n}\n",
		],
		["a.go", "f := get()\nuse(f)\nf.Close()\nreturn 1\n", "f := get()\ndefer f.Close()\nuse(f)\nreturn 1\n"],
		["a.js", "const x = a?.b;\n", "const x = a ?? c.b;\n"],
		["a.js", "const transaction = await load(id);\n", "const payment = await load(id);\n"],
		["a.js", "show(order.transaction.id);\n", "show(order.payment.id);\n"],
		["a.js", "const deadline = task.due;\n", "const dueDate = task.due;\n"],
		["a.ts", "add({ deadline: task.due });\n", "add({ dueDate: task.due });\n"],
		["a.js", "const timeout = 5;\n", "const pause = 5;\n"],
		["a.ts", "function wait(timeout: number) {}\n", "function wait(pause: number) {}\n"],
		["a.js", 'store.commit("x");\nshow(y);\n', "show(y);\n"],
		["a.js", 'const view = h("div", name);\n', "const view = render(name);\n"],
	])("says nothing about %s: %s", (path, before, after) => {
		expect(review(path, before, after, AROUND)).toEqual([]);
	});

	it("asks somebody else what a secret looks like, but not in tests", () => {
		const change = (path: string) => compareTexts(path, "", "const region = value;\n");
		const isSecret = (line: string): boolean => line.includes("region");
		expect(checkAddedLines([change("a.js"), change("test/a.test.js")], isSecret)).toEqual([
			{ path: "a.js", line: 1, text: "const region = value;", reason: "looks like a secret" },
		]);
	});

	it("looks at a file whole when there is no change", () => {
		const { end } = drive(
			{
				"src/orders.js": "export function total(x) {\n  if (x = 1) return 2;\n}\n",
				"src/app.js": "run(total);\n",
			},
			{ agent: "reviewer", task: "Review src/orders.js", tools: ["grep"] },
		);
		const text = end.status === "SUCCESS" ? end.result : end.error;
		expect(text).toContain("`src/orders.js:2`: assignment inside a condition");
		expect(text).toContain(
			"- `total` `src/orders.js:1`: no call by its name elsewhere, mentioned in 1 place (`src/app.js:1`)",
		);
		expect(text).toContain("**Reviewed:** files as they are, no change: 3 lines in `src/orders.js`");
	});
});
