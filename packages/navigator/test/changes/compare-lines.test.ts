import { describe, expect, it } from "vitest";
import { drive, finishParsing, indexTree } from "../../../../test/helpers/navigator-tree.ts";
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
	])("says nothing about %s: %s", (path, before, after) => {
		expect(review(path, before, after, AROUND)).toEqual([]);
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
