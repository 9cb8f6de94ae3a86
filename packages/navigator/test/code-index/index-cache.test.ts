import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { finishSteps } from "../../../ground/index.ts";
import { buildCodeIndex } from "../../code-index/build-code-index.ts";
import type { CodeIndex } from "../../code-index/code-index.ts";
import { decodeIndex } from "../../code-index/encode-index.ts";
import { locateIndexCache, prepareIndexCache } from "../../code-index/index-cache.ts";
import { scoreByWords } from "../../code-index/score-by-words.ts";

/** Enough text that keeping its words is worth it. */
const LONG = Array.from({ length: 6000 }, (_, at) => `export const filler${at} = handle(${at});`).join("\n");

describe("the cache of an index", () => {
	let place = "";
	let cacheFile = "";
	const write = (name: string, text: string) => writeFileSync(join(place, "tree", name), text);
	const build = (paths = ["a.ts", "b.ts", "c.bin.txt"]) =>
		buildCodeIndex({ root: join(place, "tree"), paths, cacheFile });
	const find = (index: CodeIndex, wanted: string) =>
		finishSteps(scoreByWords(index, [{ weight: 1, strengthOf: (word) => (word === wanted ? 1 : 0) }])).map(
			({ file }) => file.path,
		);

	beforeEach(() => {
		place = mkdtempSync(join(tmpdir(), "index-cache-"));
		mkdirSync(join(place, "tree"));
		cacheFile = locateIndexCache(join(place, "agent"), join(place, "tree"));
		write("a.ts", `${LONG}\nexport function bakeBread() {}\n`);
		write("b.ts", "export function sellBread() {}\n");
		write("c.bin.txt", "\0\0");
	});
	afterEach(() => rmSync(place, { recursive: true, force: true }));

	it("gives the same index again, and the texts when they are asked for", async () => {
		const first = await build();
		const second = await build();
		expect(second.words).toEqual(first.words);
		expect(second.wholes).toEqual(first.wholes);
		expect(second.leftOut).toBe(1);
		const plain = (index: CodeIndex) => index.files.map((file) => ({ ...file, text: file.text }));
		expect(plain(second)).toEqual(plain(first));
	});

	it("reads no file that is as it was", async () => {
		await build();
		const text = Object.getOwnPropertyDescriptor((await build()).files[0], "text");
		expect(text?.get).toBeTypeOf("function");
	});

	it("indexes a file again that changed, and forgets one that is gone", async () => {
		await build();
		write("b.ts", "export function eatCake() {}\n");
		const changed = await build();
		expect(find(changed, "cake")).toEqual(["b.ts"]);
		expect(find(changed, "sell")).toEqual([]);
		expect(find(await build(), "cake")).toEqual(["b.ts"]);
		expect(find(await build(["a.ts"]), "cake")).toEqual([]);
	});

	it("sees a change that leaves size and time of modification as they were", async () => {
		await build();
		const { atime, mtime } = statSync(join(place, "tree/b.ts"));
		write("b.ts", "export function lickBread() {}\n");
		utimesSync(join(place, "tree/b.ts"), atime, mtime);
		expect(find(await build(), "lick")).toEqual(["b.ts"]);
	});

	it("ignores what is damaged, cut off or something else, and replaces it", async () => {
		const whole = await build().then(() => readFileSync(cacheFile));
		const flipped = Buffer.from(whole);
		flipped[whole.length - 5] = (flipped[whole.length - 5] ?? 0) ^ 1;
		for (const damaged of [
			flipped,
			whole.subarray(0, whole.length / 2),
			Buffer.alloc(0),
			Buffer.from("x".repeat(99)),
		]) {
			writeFileSync(cacheFile, damaged);
			expect(find(await build(), "bake")).toEqual(["a.ts"]);
			expect(readFileSync(cacheFile).equals(whole)).toBe(true);
		}
	});

	it("is not waited for when it is a pipe, and not read through a link", async () => {
		const whole = await build().then(() => readFileSync(cacheFile));
		rmSync(cacheFile);
		execFileSync("mkfifo", [cacheFile]);
		expect(find(await build(), "bake")).toEqual(["a.ts"]);
		expect(readFileSync(cacheFile).equals(whole)).toBe(true);
	});

	describe("that somebody wrote to do harm, with the right checksum", () => {
		const FRAME = 20;
		/** The stored index with a changed head or changed numbers, in a frame that fits. */
		const forge = (
			whole: Buffer,
			change: (parts: { head: Record<string, unknown>; numbers: number[] }) => void,
		): Buffer => {
			const headBytes = whole.readUInt32LE(8);
			const numberCount = whole.readUInt32LE(12);
			const counts = whole.subarray(FRAME + headBytes + numberCount * 4);
			const parts = {
				head: JSON.parse(whole.toString("utf8", FRAME, FRAME + headBytes)),
				numbers: Array.from({ length: numberCount }, (_, at) =>
					whole.readUInt32LE(FRAME + headBytes + at * 4),
				),
			};
			change(parts);
			const json = JSON.stringify(parts.head);
			const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
			const body = Buffer.concat([text, new Uint8Array(Uint32Array.from(parts.numbers).buffer), counts]);
			const frame = Uint32Array.of(
				whole.readUInt32LE(0),
				crc32(body),
				text.length,
				parts.numbers.length,
				counts.length,
			);
			return Buffer.concat([new Uint8Array(frame.buffer), body]);
		};
		const MANY = 0xffff_fffe;
		type Parts = Parameters<Parameters<typeof forge>[1]>[0];

		it("is still the same when nothing is changed", async () => {
			const whole = await build().then(() => readFileSync(cacheFile));
			expect(finishSteps(decodeIndex(forge(whole, () => undefined)))?.files.size).toBe(3);
		});

		it.each<[string, (parts: Parts) => void]>([
			["four thousand million passages", ({ numbers }) => numbers.splice(0, 1, MANY)],
			["as many words of a path", ({ numbers }) => numbers.splice(2, 1, MANY)],
			["one word more than there are", ({ numbers }) => numbers.splice(3, 1, 1_000_000)],
			["numbers that are left over", ({ numbers }) => numbers.push(0)],
			["numbers that are missing", ({ numbers }) => numbers.pop()],
			["a passage that ends before it begins", ({ numbers }) => swapPassage(numbers, 9, 2)],
			["a passage in line 0", ({ numbers }) => swapPassage(numbers, 0, 2)],
			["a passage of four thousand million lines", ({ numbers }) => swapPassage(numbers, 1, MANY)],
			["fewer stems than words", ({ head }) => Object.assign(head, { stems: "a" })],
			["words that are no text", ({ head }) => Object.assign(head, { words: { length: 1e9 } })],
			["whole words that are none", ({ head }) => Object.assign(head, { wholes: [1e9] })],
			["whole words that are not a list", ({ head }) => Object.assign(head, { wholes: { length: 1e9 } })],
			["files that are not a list", ({ head }) => Object.assign(head, { files: 7 })],
			["a file without a name", ({ head }) => Object.assign(head, { files: [[null, 1, 1, 1]] })],
			["no head at all", (parts) => Object.assign(parts, { head: {} })],
		])("is a miss: %s", async (_name, change) => {
			const whole = await build().then(() => readFileSync(cacheFile));
			const forged = forge(whole, change);
			expect(finishSteps(decodeIndex(forged))).toBeUndefined();
			writeFileSync(cacheFile, forged);
			expect(find(await build(), "bake")).toEqual(["a.ts"]);
		});

		/** First and last line of the first passage of the first file. */
		function swapPassage(numbers: number[], first: number, last: number): void {
			const pathWords = numbers[2] ?? 0;
			const at = 3 + pathWords + 1 + (numbers[3 + pathWords] ?? 0);
			numbers.splice(at, 2, first, last);
		}
	});

	it("is for its owner only, contains no line of the files, and leaves nothing else behind", async () => {
		await build();
		expect(statSync(cacheFile).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(cacheFile)).mode & 0o777).toBe(0o700);
		expect(readFileSync(cacheFile, "latin1")).not.toContain("export function");
		expect(readdirSync(dirname(cacheFile))).toEqual(["words.bin"]);
	});

	it("keeps nothing of a small tree", async () => {
		await build(["b.ts"]);
		expect(() => statSync(cacheFile)).toThrow();
	});

	it("keeps the trees that were indexed last", () => {
		for (let at = 0; at < 40; at += 1) {
			const directory = prepareIndexCache(locateIndexCache(join(place, "agent"), `/tree/${at}`)) ?? "";
			utimesSync(directory, at, at);
		}
		const kept = readdirSync(dirname(dirname(cacheFile)));
		expect(kept).toHaveLength(32);
		expect(kept).toContain(
			dirname(locateIndexCache(join(place, "agent"), "/tree/39"))
				.split("/")
				.at(-1),
		);
	});
});
