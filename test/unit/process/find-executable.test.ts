import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findExecutable } from "../../../src/process/find-executable.ts";

let directory: string;

beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-find-"));
	for (const [name, mode] of [
		["first/tool", 0o644],
		["second/tool", 0o755],
		["third/tool", 0o755],
	] as const) {
		mkdirSync(join(directory, name, ".."), { recursive: true });
		writeFileSync(join(directory, name), "#!/bin/sh\n");
		chmodSync(join(directory, name), mode);
	}
	mkdirSync(join(directory, "first/folder"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("finding a program", () => {
	const path = (...names: string[]) => ({ PATH: names.map((name) => join(directory, name)).join(delimiter) });

	it("takes the first on PATH that can be executed", () => {
		expect(findExecutable("tool", path("first", "second", "third"))).toBe(join(directory, "second/tool"));
	});

	it("finds nothing where there is nothing, or a directory, or no PATH", () => {
		expect(findExecutable("absent", path("first", "second"))).toBeUndefined();
		expect(findExecutable("folder", path("first"))).toBeUndefined();
		expect(findExecutable("tool", {})).toBeUndefined();
		expect(findExecutable("", path("second"))).toBeUndefined();
	});

	it("ignores relative and empty entries: the working directory is never searched", () => {
		expect(findExecutable("tool", { PATH: `.${delimiter}${delimiter}second` }, directory)).toBeUndefined();
	});

	it("takes a name with a slash as a path from the working directory", () => {
		expect(findExecutable("./second/tool", {}, directory)).toBe(join(directory, "second/tool"));
		expect(findExecutable("first/tool", {}, directory)).toBeUndefined();
		expect(findExecutable(join(directory, "third/tool"), {})).toBe(join(directory, "third/tool"));
	});
});
