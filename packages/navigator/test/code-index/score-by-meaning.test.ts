import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { finishSteps } from "../../../ground/index.ts";
import { createWordVectors } from "../../code-index/embed-words.ts";
import { indexTexts } from "../../code-index/index-texts.ts";
import { parseMeaningTable } from "../../code-index/meaning-table.ts";
import { scoreByMeaning } from "../../code-index/score-by-meaning.ts";

const bytes = readFileSync(new URL("../../../../data/meaning.bin", import.meta.url));

describe("the table of meanings", () => {
	it("is the one that is documented", () => {
		const page = readFileSync(new URL("../../../../docs/decisions/meaning.md", import.meta.url), "utf8");
		expect(page).toContain(createHash("sha256").update(bytes).digest("hex"));
		expect(bytes.length).toBeLessThan(8_000_000);
	});

	it("is refused when it is damaged", () => {
		expect(() => parseMeaningTable(bytes.subarray(0, bytes.length - 1))).toThrow("damaged");
	});

	it("finds code that shares no word with the question", () => {
		const index = indexTexts([
			["src/gzip.ts", "export function deflateStream(input) {\n\treturn zlib.createGzip(input);\n}\n"],
			["src/login.ts", "export function checkPassword(user, hash) {\n\treturn verify(user, hash);\n}\n"],
			["src/clock.ts", "export function nextTimer(delay) {\n\treturn setTimeout(tick, delay);\n}\n"],
		]);
		const vectors = createWordVectors(parseMeaningTable(bytes));
		const first = (question: string) =>
			finishSteps(scoreByMeaning(index, vectors, question, () => true))[0]?.file.path;
		expect(first("What makes the answer smaller by compression?")).toBe("src/gzip.ts");
		expect(first("Where is somebody's secret word compared when signing in?")).toBe("src/login.ts");
	});

	it("knows nothing of words it has no pieces for", () => {
		const vectors = createWordVectors(parseMeaningTable(bytes));
		expect(vectors.vectorOf("合計")).toBeUndefined();
		expect(finishSteps(scoreByMeaning(indexTexts([]), vectors, "合計", () => true))).toEqual([]);
	});
});
