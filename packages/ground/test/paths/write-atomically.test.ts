import { execFileSync } from "node:child_process";
import {
	chownSync,
	closeSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProject } from "../../paths/find-project.ts";
import { openOwnDirectory } from "../../paths/open-own-directory.ts";
import { appendToFile, openToAppend } from "../../paths/open-to-append.ts";
import { openReplacement, writeAtomically } from "../../paths/write-atomically.ts";

let root: string;
let tree: string;
let victim: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "writing-"));
	tree = join(root, "tree");
	mkdirSync(join(tree, "out"), { recursive: true });
	mkdirSync(join(root, "private"));
	victim = join(root, "private/file");
	writeFileSync(victim, "precious\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const WAYS: readonly (readonly [string, (file: string) => void])[] = [
	["openToAppend", (file) => closeSync(openToAppend(file, { tree }))],
	["writeAtomically", (file) => writeAtomically(file, "new", { tree })],
	["writeAtomically of a new file", (file) => writeAtomically(file, "new", { tree, isNew: true })],
];

const isRoot = process.getuid?.() === 0;

describe.each(WAYS)("%s in a tree that somebody else filled", (_name, write) => {
	const file = () => join(tree, "out/result");
	const expectRefusal = (words: RegExp | string): void => {
		expect(() => write(file())).toThrow(words);
		expect(readFileSync(victim, "utf8")).toBe("precious\n");
		expect(readdirSync(join(root, "private"))).toEqual(["file"]);
	};

	it("refuses a link in place of the file, and names where it leads", () => {
		symlinkSync("../../private/file", file());
		expectRefusal(`${file()} is a link and leads to ${victim}. Nothing was written through it.`);
		rmSync(file());
		symlinkSync(join(root, "private/new"), file());
		expectRefusal(`leads to ${join(root, "private/new")}`);
	});

	it("refuses a link in place of a directory, also by another name of the tree", () => {
		rmSync(join(tree, "out"), { recursive: true });
		symlinkSync("../private", join(tree, "out"));
		expectRefusal(`${join(tree, "out")} is a link and leads to ${join(root, "private")}.`);
		symlinkSync(tree, join(root, "alias"));
		expect(() => write(join(root, "alias/out/result"))).toThrow(`${join(tree, "out")} is a link`);
	});

	it("refuses what is no file, and what has another name or another owner", () => {
		linkSync(victim, file());
		expectRefusal(/has 2 names \(hard links\)|exists already/);
		rmSync(file());
		execFileSync("mkfifo", [file()]);
		expectRefusal(/is a named pipe|a pipe that nobody reads|exists already/);
		rmSync(file());
		mkdirSync(file());
		expectRefusal(/is a directory|EISDIR|exists already/);
	});

	it.skipIf(!isRoot)("refuses a file of another user", () => {
		writeFileSync(file(), "theirs");
		chownSync(file(), 65534, 65534);
		expectRefusal(/belongs to user 65534, and you are 0|exists already/);
	});

	it("makes a private file and the directories it needs, and leaves nothing else", () => {
		write(join(tree, "a/b/result"));
		expect(readdirSync(join(tree, "a/b"))).toEqual(["result"]);
		expect(statSync(join(tree, "a/b/result")).mode & 0o777).toBe(0o600);
		expect(statSync(join(tree, "a/b/result")).nlink).toBe(1);
	});
});

describe("writing", () => {
	it("continues a file of one's own, and replaces one whole", () => {
		appendToFile(join(tree, "log"), "one\n");
		appendToFile(join(tree, "log"), "two\n");
		expect(readFileSync(join(tree, "log"), "utf8")).toBe("one\ntwo\n");
		writeAtomically(join(tree, "log"), "three\n", { tree, mode: 0o644 });
		expect(readFileSync(join(tree, "log"), "utf8")).toBe("three\n");
		expect(statSync(join(tree, "log")).mode & 0o777).toBe(0o644);
	});

	it("never replaces a file when it is to be new", () => {
		writeFileSync(join(tree, "mine"), "work");
		expect(() => writeAtomically(join(tree, "mine"), "x", { isNew: true })).toThrow("exists already");
		const late = openReplacement(join(tree, "late"), { isNew: true });
		writeFileSync(join(tree, "late"), "somebody was faster");
		expect(() => late.finish()).toThrow("exists already");
		late.close();
		expect(readFileSync(join(tree, "late"), "utf8")).toBe("somebody was faster");
		expect(readdirSync(tree).sort()).toEqual(["late", "mine", "out"]);
	});

	it("follows links of the user's own, outside of the tree", () => {
		symlinkSync(join(root, "private"), join(root, "mine"));
		writeAtomically(join(root, "mine/new"), "x", { tree });
		expect(existsSync(join(root, "private/new"))).toBe(true);
		// A link in place of the file is replaced itself.
		symlinkSync(victim, join(root, "link"));
		writeAtomically(join(root, "link"), "x");
		expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(false);
		expect(readFileSync(victim, "utf8")).toBe("precious\n");
	});

	it.runIf(process.platform === "linux")(
		"stays in the directory that was opened, when its name leads elsewhere",
		() => {
			const replacement = openReplacement(join(tree, "out/result"), { tree });
			writeSync(replacement.descriptor, "new");
			renameSync(join(tree, "out"), join(tree, "moved"));
			symlinkSync(join(root, "private"), join(tree, "out"));
			replacement.finish();
			replacement.close();
			expect(readFileSync(join(tree, "moved/result"), "utf8")).toBe("new");
			expect(readdirSync(join(root, "private"))).toEqual(["file"]);
			expect(() => openOwnDirectory(join(tree, "out"), { tree })).toThrow("is a link");
		},
	);

	it("leaves the old file, and nothing beside it, when it is given up", () => {
		writeFileSync(join(tree, "kept"), "old");
		const replacement = openReplacement(join(tree, "kept"), { tree });
		replacement.close();
		expect(readdirSync(tree).sort()).toEqual(["kept", "out"]);
		expect(readFileSync(join(tree, "kept"), "utf8")).toBe("old");
		expect(() => appendToFile("/dev/full", "x")).toThrow(/is a device, not a regular file/);
	});
});

describe("findProject", () => {
	it("is the repository around a directory, else the directory, and nothing at home", () => {
		mkdirSync(join(root, "home/project/deep"), { recursive: true });
		const home = join(root, "home");
		expect(findProject(join(home, "project/deep"), home)).toBe(join(home, "project/deep"));
		mkdirSync(join(home, "project/.git"));
		expect(findProject(join(home, "project/deep"), home)).toBe(join(home, "project"));
		// A repository of settings around everything is no project.
		mkdirSync(join(home, ".git"));
		rmSync(join(home, "project/.git"), { recursive: true });
		expect(findProject(join(home, "project/deep"), home)).toBe(join(home, "project/deep"));
		expect(findProject(home, home)).toBeUndefined();
		expect(findProject("/", home)).toBeUndefined();
	});
});
