import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testDirectory } from "../../../../test/helpers/test-directory.ts";
import { removeOldest } from "../../paths/remove-oldest.ts";

function fill(): string {
	const directory = mkdtempSync(join(testDirectory(), "oldest-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	for (let age = 1; age <= 5; age += 1) {
		const path = join(directory, `old-${age}`);
		if (age === 5) mkdirSync(join(path, "inner"), { recursive: true });
		else writeFileSync(path, "");
		utimesSync(path, 1000 - age, 1000 - age);
	}
	return directory;
}

it("keeps the entries that were changed last, and removes whole directories", () => {
	const directory = fill();
	removeOldest(directory, 2);
	expect(readdirSync(directory).sort()).toEqual(["old-1", "old-2"]);
});

it("does nothing before the spare ones are used up", () => {
	const directory = fill();
	removeOldest(directory, 2, 4);
	expect(readdirSync(directory)).toHaveLength(5);
	removeOldest(directory, 2, 3);
	expect(readdirSync(directory)).toHaveLength(2);
});
