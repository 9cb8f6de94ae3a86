import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testDirectory } from "../../../../test/helpers/test-directory.ts";
import { omit } from "../../json/defined.ts";
import { readJsonFile } from "../../json/read-json-file.ts";

it("reads a file with a byte order mark, and nothing from what is missing or broken", () => {
	const directory = mkdtempSync(join(testDirectory(), "json-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const file = join(directory, "a.json");
	writeFileSync(file, '\ufeff{"a":1}');
	expect(readJsonFile(file)).toEqual({ a: 1 });
	writeFileSync(file, '{"a":');
	expect(readJsonFile(file)).toBeUndefined();
	expect(readJsonFile(directory)).toBeUndefined();
	expect(readJsonFile(join(directory, "missing.json"))).toBeUndefined();
});

it("leaves out keys and does not touch the object", () => {
	const object = { a: 1, b: 2, c: 3 };
	expect(omit(object, "a", "c", "d")).toEqual({ b: 2 });
	expect(object).toEqual({ a: 1, b: 2, c: 3 });
});
