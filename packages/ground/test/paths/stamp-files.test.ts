import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
