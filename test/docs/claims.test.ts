import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readClaims, readSentences } from "./read-claims.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const sentences = readSentences(read("README.md"));
const claims = readClaims(read("docs/claims.md"));

describe("the claims of the README", () => {
	it("are all listed with what shows them, word by word", () => {
		expect(sentences.length).toBeGreaterThan(40);
		const listed = claims.map(({ sentence }) => sentence);
		expect(sentences.filter((sentence) => !listed.includes(sentence))).toEqual([]);
		expect(listed.filter((sentence) => !sentences.includes(sentence))).toEqual([]);
	});

	it("have evidence, or a reason why none is needed", () => {
		const bare = claims.filter(({ evidence, reason }) => evidence.length === 0 && reason === undefined);
		expect(bare.map(({ sentence }) => sentence)).toEqual([]);
	});

	it("name tests and figures that exist", () => {
		const gone = claims.flatMap(({ evidence }) =>
			evidence.filter(({ file, says }) => !existsSync(join(root, file)) || !read(file).includes(says)),
		);
		expect(gone).toEqual([]);
	});
});

describe("the comparison with others", () => {
	it("has only figures that are on the pages it names", () => {
		const rows = [
			...read("docs/comparison.md").matchAll(/^\| \[[^\]]*\]\((performance|peers-faults)\.md\).*$/gm),
		];
		const missing = rows.flatMap(([row, page]) => {
			const measured = read(`docs/${page}.md`).replaceAll(",", "");
			const figures = row.replaceAll(",", "").match(/\+?\d+(?= ms| bytes)/g) ?? [];
			return figures.filter((figure) => !measured.includes(figure)).map((figure) => `${figure}: ${row}`);
		});
		expect(rows.length).toBeGreaterThan(4);
		expect(missing).toEqual([]);
	});
});
