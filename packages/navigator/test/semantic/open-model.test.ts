import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MODEL_FILES, openModel } from "../../semantic/open-model.ts";

let directory = "";
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-model-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("runs nothing of a package whose files are not the ones that were tested", async () => {
	const marker = join(directory, "was-run");
	for (const [path] of Object.values(MODEL_FILES)) {
		mkdirSync(dirname(join(directory, path)), { recursive: true });
		writeFileSync(
			join(directory, path),
			`import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "");`,
		);
	}
	await expect(openModel(directory)).rejects.toThrow(
		"model/tokenizer.json has another checksum than the one that was tested",
	);
	await expect(import(marker)).rejects.toThrow();
});

it("says which file is missing", async () => {
	await expect(openModel(directory)).rejects.toThrow("tokenizer.json");
});
