import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, type TestHome } from "../../../../test/helpers/test-home.ts";
import { readPart } from "../../paths/with-regular-file.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

it("reads the part that is chosen by the size of the file", () => {
	const file = home.write("a", "0123456789");
	const read = (offset: number, maxBytes: number) =>
		readPart(file, () => ({ offset, maxBytes }))?.bytes.toString("utf8");
	expect(read(0, 100)).toBe("0123456789");
	expect(read(3, 4)).toBe("3456");
	expect(read(10, 4)).toBe("");
	expect(read(12, 4)).toBe("");
	const end = readPart(file, (size) => ({ offset: size - 2, maxBytes: 2 }));
	expect(end).toMatchObject({ size: 10, inode: expect.any(Number) });
	expect(end?.bytes.toString("utf8")).toBe("89");
});

it("reads nothing but files, and waits for nobody", () => {
	const all = () => ({ offset: 0, maxBytes: 10 });
	const [link, pipe] = [join(home.project, "link"), join(home.project, "pipe")];
	symlinkSync(home.write("a", "x"), link);
	execFileSync("mkfifo", [pipe]);
	for (const file of [link, pipe, home.project, join(home.project, "missing")])
		expect(readPart(file, all)).toBeUndefined();
});
