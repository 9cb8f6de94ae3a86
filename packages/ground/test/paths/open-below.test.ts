import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openBelow } from "../../paths/open-below.ts";

let top: string;
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "below-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const bytes = (...names: string[]): Buffer[] => names.map((name) => Buffer.from(name, "latin1"));

it("makes what is missing, with the rights it is told, and says so", () => {
	mkdirSync(join(top, "there"));
	const made: number[] = [];
	const directory = openBelow(top, bytes("there", "new", "\xff"), {
		mode: () => 0o750,
		onMade: (count) => made.push(count),
	});
	writeFileSync(directory.at(Buffer.from("file")), "");
	directory.close();
	expect(made).toEqual([2, 3]);
	expect(statSync(join(top, "there/new")).mode & 0o777).toBe(0o750 & ~process.umask());
	const [name = Buffer.alloc(0)] = readdirSync(join(top, "there/new"), { encoding: "buffer" });
	expect([...name]).toEqual([0xff]);
});

it("makes nothing unless it is told to", () => {
	expect(() => openBelow(top, bytes("missing"))).toThrow(/ENOENT/);
	expect(existsSync(join(top, "missing"))).toBe(false);
});

it.each([
	["a link to a directory", () => symlinkSync(tmpdir(), join(top, "x"))],
	["a link to nothing", () => symlinkSync("/nowhere", join(top, "x"))],
	["a file", () => writeFileSync(join(top, "x"), "")],
])("goes through no %s", (_, make) => {
	make();
	expect(() => openBelow(top, bytes("x", "y"), { mode: () => 0o700 })).toThrow(
		/is no directory, or a link to one/,
	);
});

it.runIf(process.platform === "linux")(
	"stays in the directory that was opened, whatever its name leads to meanwhile",
	() => {
		mkdirSync(join(top, "a"));
		mkdirSync(join(top, "b"));
		const directory = openBelow(top, bytes("a"));
		rmSync(join(top, "a"), { recursive: true });
		symlinkSync("b", join(top, "a"));
		expect(() => writeFileSync(directory.at(Buffer.from("file")), "")).toThrow();
		directory.close();
		expect(readdirSync(join(top, "b"))).toEqual([]);
	},
);
