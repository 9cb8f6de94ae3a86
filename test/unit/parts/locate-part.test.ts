import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadPackage } from "../../../src/parts/load-package.ts";
import { locatePart } from "../../../src/parts/locate-part.ts";
import { findChangedFile, writePartContents } from "../../../src/parts/part-contents.ts";
import { readPartLocks } from "../../../src/parts/read-part-locks.ts";

const directories: string[] = [];
afterEach(() => {
	for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function makeDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "deputize-parts-"));
	directories.push(directory);
	return directory;
}

function installPackage(modules: string, name: string): void {
	mkdirSync(join(modules, name), { recursive: true });
	writeFileSync(join(modules, name, "package.json"), JSON.stringify({ name, main: "main.cjs" }));
	writeFileSync(join(modules, name, "main.cjs"), `exports.from = ${JSON.stringify(modules)};`);
}

it("finds what is installed beside us, as in this repository", () => {
	expect(locatePart("queue", {})?.source).toBe("beside");
});

it("takes all packages of a part from one place or none", () => {
	const here = { agentDirectory: makeDirectory(), packages: ["bullmq", "not-installed-anywhere"] };
	expect(locatePart("queue", here)).toBeUndefined();
});

it("loads a package from the place that was found, not from ours", () => {
	const modules = join(makeDirectory(), "node_modules");
	installPackage(modules, "bullmq");
	expect(loadPackage({ modules }, "bullmq")).toEqual({ from: modules });
});

it("reads locks that are there and ignores what is none", () => {
	const file = join(makeDirectory(), "parts.json");
	expect(readPartLocks(file)).toEqual({});
	writeFileSync(
		file,
		JSON.stringify({ documents: { fingerprint: "f", bytes: 3, packages: {} }, other: {}, queue: 7 }),
	);
	expect(readPartLocks(file)).toEqual({ documents: { fingerprint: "f", bytes: 3, packages: {} } });
});

describe("the contents of a part", () => {
	const install = (): string => {
		const modules = join(makeDirectory(), "node_modules");
		for (const name of ["bullmq", "pg"]) installPackage(modules, name);
		writePartContents(modules);
		return modules;
	};

	it("are as they were installed, also with other documentation", () => {
		const modules = install();
		expect(findChangedFile(modules)).toBeUndefined();
		writeFileSync(join(modules, "pg", "README.md"), "Read me.");
		expect(findChangedFile(modules)).toBeUndefined();
	});

	const replaceByLink = (modules: string): void => {
		rmSync(join(modules, "pg"), { recursive: true });
		symlinkSync(makeDirectory(), join(modules, "pg"));
	};
	it.each<[string, string, (modules: string) => void]>([
		["is changed", "pg/main.cjs", (modules) => appendFileSync(join(modules, "pg/main.cjs"), ";")],
		[
			"was added: a package that another one loads if it is there",
			"pg-native/main.cjs",
			(modules) => installPackage(modules, "pg-native"),
		],
		["is gone", "bullmq/main.cjs", (modules) => rmSync(join(modules, "bullmq/main.cjs"))],
		["became a link", "pg", replaceByLink],
		[
			"is the note, and it is gone",
			".deputize-contents.json",
			(modules) => rmSync(join(modules, ".deputize-contents.json")),
		],
		[
			"is the note, and it is torn",
			".deputize-contents.json",
			(modules) => writeFileSync(join(modules, ".deputize-contents.json"), '{"pg/main'),
		],
	])("name a file that %s", (_name, file, change) => {
		const modules = install();
		change(modules);
		expect(findChangedFile(modules)).toBe(join(modules, file));
	});
});
