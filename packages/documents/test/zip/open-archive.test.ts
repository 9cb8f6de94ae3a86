import { describe, expect, it } from "vitest";
import { makeZip, type ZipPart } from "../../../../test/helpers/convert-zip.ts";
import { openArchive } from "../../zip/open-archive.ts";
import { writeStoredZip } from "../../zip/write-stored-zip.ts";

const failure = (parts: readonly ZipPart[], name = parts[0]?.name ?? ""): unknown => {
	try {
		openArchive(makeZip(parts)).read(name);
		return undefined;
	} catch (error) {
		return { code: (error as { code?: string }).code, message: (error as Error).message };
	}
};

describe("openArchive", () => {
	it("reads stored and deflated entries by name", () => {
		const archive = openArchive(
			makeZip([
				{ name: "a.txt", content: "alpha", stored: true },
				{ name: "b/ü.txt", content: "beta ".repeat(1000) },
			]),
		);
		expect(archive.names).toEqual(["a.txt", "b/ü.txt"]);
		expect(archive.read("a.txt")?.toString()).toBe("alpha");
		expect(archive.read("b/ü.txt")?.toString()).toBe("beta ".repeat(1000));
		expect(archive.read("c")).toBeUndefined();
		expect(archive.has("a.txt")).toBe(true);
	});

	it("reads what writeStoredZip wrote", () => {
		const parts = new Map([
			["x.xml", Buffer.from("<x/>")],
			["y/z.xml", Buffer.alloc(0)],
		]);
		const archive = openArchive(writeStoredZip(parts));
		expect(archive.names).toEqual(["x.xml", "y/z.xml"]);
		expect(archive.read("x.xml")?.toString()).toBe("<x/>");
		expect(archive.read("y/z.xml")?.length).toBe(0);
	});

	it.each<[string, ZipPart, string, string]>([
		["a password", { name: "a", content: "x", encrypted: true }, "DOCUMENT_ENCRYPTED", "password-protected"],
		["an unknown method", { name: "a", content: "x", method: 14 }, "UNSUPPORTED_FORMAT", "method 14"],
		[
			"an entry of 101 MiB",
			{ name: "a", content: "x", claimedBytes: 101 * 1024 * 1024 },
			"DOCUMENT_UNSAFE",
			"101 MiB",
		],
		[
			"an entry that is larger than it claims",
			{ name: "a", content: Buffer.alloc(5_000_000), claimedBytes: 100 },
			"DOCUMENT_UNSAFE",
			"more than it claims",
		],
		[
			"an entry that is smaller than it claims",
			{ name: "a", content: "x", claimedBytes: 100 },
			"DOCUMENT_DAMAGED",
			"checksum",
		],
		["a wrong checksum", { name: "a", content: "x", checksum: 1 }, "DOCUMENT_DAMAGED", "checksum"],
	])("refuses %s", (_what, part, code, words) => {
		expect(failure([part])).toMatchObject({ code, message: expect.stringContaining(words) });
	});

	it("refuses entries that are too large together, before unpacking any", () => {
		const parts = Array.from({ length: 3 }, (_, index) => ({
			name: `part${index}`,
			content: "x",
			claimedBytes: 90 * 1024 * 1024,
		}));
		expect(failure(parts)).toMatchObject({
			code: "DOCUMENT_UNSAFE",
			message: expect.stringContaining("200 MiB"),
		});
	});

	it("refuses more entries than any document has", () => {
		const parts = Array.from({ length: 5001 }, (_, index) => ({
			name: `${index}`,
			content: "",
			stored: true,
		}));
		expect(failure(parts)).toMatchObject({
			code: "DOCUMENT_UNSAFE",
			message: expect.stringContaining("5001 entries"),
		});
	});

	it("calls an archive damaged wherever it is cut", () => {
		const whole = makeZip([
			{ name: "a.txt", content: "alpha ".repeat(50), stored: true },
			{ name: "b.txt", content: "beta ".repeat(50), stored: true },
		]);
		for (let length = 4; length < whole.length; length += 7)
			expect(() => openArchive(whole.subarray(0, length)), `cut at ${length}`).toThrow(
				expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
			);
	});

	it("calls an archive damaged when its data is not", () => {
		const whole = makeZip([{ name: "a.txt", content: "alpha ".repeat(500) }]);
		whole.fill(0xff, 36, 60);
		expect(() => openArchive(whole).read("a.txt")).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
		);
	});

	it("survives any single broken byte with an answer or a refusal of its own", () => {
		const whole = makeZip([{ name: "word/document.xml", content: "<w:document/>".repeat(20) }]);
		for (let position = 0; position < whole.length; position += 1) {
			const broken = Buffer.from(whole);
			broken[position] = (broken[position] ?? 0) ^ 0xff;
			try {
				openArchive(broken).read("word/document.xml");
			} catch (error) {
				expect((error as Error).name, `byte ${position}`).toBe("ToolError");
			}
		}
	});
});
