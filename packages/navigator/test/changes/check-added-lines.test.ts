import { describe, expect, it } from "vitest";
import { checkAddedLines } from "../../changes/check-added-lines.ts";

const check = (path: string, text: string) =>
	checkAddedLines([{ path, added: [{ line: 1, text }], removed: [], isDeleted: false }])[0]?.reason;

describe("checkAddedLines", () => {
	it.each([
		["a.ts", "if (user = admin) {", "assignment inside a condition"],
		["a.js", "items.forEach(async (item) => save(item));", "nobody waits for these calls"],
		["a.js", 'if (typeof x === "strng") return;', "no such type name"],
		["a.js", "if (a.b === a.b) {", "compared or combined with itself"],
		["a.py", "def add(item, items=[]):", "default value shared by all calls"],
		["a.py", '    assert (x == 1, "x must be 1")', "assertion that is always true"],
		["a.py", "if name is 'x':", "compared by identity"],
		["a.go", "	data, _ := os.ReadFile(path)", "error dropped"],
		["a.go", "if err != nil { return nil }", "error turned into success"],
		["src/a.rs", "let n = text.parse::<u32>().unwrap();", "ends the program when it goes wrong"],
		["a.go", '	rows := db.Query("SELECT * FROM t WHERE id = %s", id)', "query put together from text"],
		["a.ts", 'const password = "hunter2hunter2";', "looks like a secret"],
	])("%s: %s", (path, text, reason) => {
		expect(check(path, text)).toBe(reason);
	});

	it.each([
		["a.ts", "if (user === admin) {"],
		["a.ts", 'const text = "if (user = admin) {";'],
		["a.ts", "// if (user = admin) {"],
		["a.ts", "while ((match = pattern.exec(text)) !== null) {"],
		["a.ts", "const x = a.b - a.bc;"],
		["a.ts", "for (let at = 0; at < 3; at += 1) {"],
		["test/a.test.ts", "console.log(x);"],
		["README.md", "TODO later"],
		["a.py", "def add(item, items=None):"],
		["a.py", "if x is not None:"],
		["a.go", "for _, item := range items {"],
		["src/a.rs", "let n = text.parse::<u32>()?;"],
	])("says nothing about %s: %s", (path, text) => {
		expect(check(path, text)).toBeUndefined();
	});
});
