import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stampFiles } from "../../paths/stamp-files.ts";

it("changes with every file that is made, changed or removed, and only then", () => {
	const directory = mkdtempSync(join(tmpdir(), "deputize-stamp-"));
	try {
		const files = ["a", "b"].map((name) => join(directory, name));
		const stamps = [stampFiles(files)];
		writeFileSync(files[0] ?? "", "one");
		stamps.push(stampFiles(files));
		expect(stampFiles(files)).toBe(stamps[1]);
		writeFileSync(files[0] ?? "", "longer");
		stamps.push(stampFiles(files));
		rmSync(files[0] ?? "");
		expect(stampFiles(files)).toBe(stamps[0]);
		expect(new Set(stamps).size).toBe(3);
	} finally {
		rmSync(directory, { recursive: true });
	}
});

it("changes with a content of the same length whose time was set back", () => {
	const directory = mkdtempSync(join(tmpdir(), "deputize-stamp-"));
	try {
		const file = join(directory, "models.json");
		writeFileSync(file, "key-1");
		// A whole second, because what is set back is rounded.
		utimesSync(file, 1_700_000_000, 1_700_000_000);
		const before = stampFiles([file]);
		const { ino, size, mtimeMs } = statSync(file);
		writeFileSync(file, "key-2");
		utimesSync(file, 1_700_000_000, 1_700_000_000);
		expect(statSync(file)).toMatchObject({ ino, size, mtimeMs });
		expect(stampFiles([file])).not.toBe(before);
	} finally {
		rmSync(directory, { recursive: true });
	}
});
