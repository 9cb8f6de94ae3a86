import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProject } from "../../paths/find-project.ts";
import { writeAtomically } from "../../paths/write-atomically.ts";

describe("the project around a directory", () => {
	let home: string;
	const make = (path: string): string => {
		mkdirSync(join(home, path), { recursive: true });
		return join(home, path);
	};
	beforeEach(() => {
		home = realpathSync(mkdtempSync(join(tmpdir(), "find-project-")));
		make("code/app/.git");
		make("code/app/vendor/module/.git");
		make("code/app/vendor/module/src");
	});
	afterEach(() => rmSync(home, { recursive: true, force: true }));

	it.each([
		["the repository, from below its top", "code/app/vendor", "code/app"],
		["the outermost one, from inside of a submodule", "code/app/vendor/module/src", "code/app"],
		["the directory itself where there is no repository", "code", "code"],
	])("is %s", (_name, from, project) => {
		expect(findProject(join(home, from), home)).toBe(join(home, project));
	});

	it("is none in the home directory and above it, also when that is a repository", () => {
		make(".git");
		expect(findProject(home, home)).toBeUndefined();
		expect(findProject(join(home, ".."), home)).toBeUndefined();
		expect(findProject(join(home, "code"), home)).toBe(join(home, "code"));
	});

	it("is the same by another name", () => {
		symlinkSync(join(home, "code/app/vendor/module"), join(home, "short"));
		expect(findProject(join(home, "short"), home)).toBe(join(home, "code/app"));
	});

	it("has no link that a writer in a submodule follows, also in the repository around it", () => {
		symlinkSync(make("precious"), join(home, "code/app/out"));
		const tree = findProject(join(home, "code/app/vendor/module"), home);
		const file = join(home, "code/app/vendor/module/../../out/result.txt");
		expect(() => writeAtomically(file, "x", { tree })).toThrow(`leads to ${join(home, "precious")}`);
	});
});
