import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
	type ConvertDocumentOptions,
	convertDocument,
} from "../../../../src/tools/convert/convert-document.ts";
import {
	BILLION_LAUGHS,
	hugeWorksheet,
	makeDocx,
	makeOdt,
	makePdf,
	makeXlsx,
	odtContent,
	wordDocument,
} from "../../../helpers/convert-hostile.ts";
import { makeZip } from "../../../helpers/convert-zip.ts";
import { writeNodeProgram } from "../../../helpers/write-node-program.ts";

const fixtures = join(import.meta.dirname, "../../../../packages/documents/fixtures");
const directory = mkdtempSync(join(tmpdir(), "convert-document-"));
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => {
	expect(readdirSync(directory), "nothing is left in the working directory").toEqual([]);
});

const convert = (bytes: Uint8Array, fileName: string, options: Partial<ConvertDocumentOptions> = {}) =>
	convertDocument(
		bytes,
		{ fileName },
		{
			timeoutMs: 60_000,
			maxInputBytes: 20 * 1024 * 1024,
			maxMemoryMb: 1024,
			workingDirectory: directory,
			...options,
		},
	);

describe("convertDocument", { timeout: 120_000 }, () => {
	it("converts in another process and gives back text, title and facts", async () => {
		const answer = await convert(readFileSync(join(fixtures, "libreoffice-slides.pptx")), "slides.pptx");
		expect(answer).toMatchObject({
			ok: true,
			title: "Harbour Slides",
			truncated: false,
			metadata: { format: "pptx", slides: 4 },
			markdown: expect.stringContaining("## Slide 2: Points\n\n- Cranes\n  - two are *new*"),
		});
	});

	it("keeps its answer apart from what libraries print", async () => {
		// PDF.js prints a warning about this file, on stdout if it is let.
		const answer = await convert(
			readFileSync(join(fixtures, "libreoffice-report.pdf")).subarray(0, 9000),
			"cut.pdf",
		);
		expect(answer).toMatchObject({ ok: false, code: "DOCUMENT_DAMAGED" });
	});

	it("refuses a document over the limit without starting anything", async () => {
		const answer = await convert(Buffer.alloc(101), "a.txt", {
			maxInputBytes: 100,
			nodePath: "/does/not/exist",
		});
		expect(answer).toEqual({
			ok: false,
			code: "FILE_TOO_LARGE",
			message: "The document has 101 bytes; at most 100 are converted (convert.maxInputBytes).",
		});
	});

	it("stops at the deadline", async () => {
		const slow = makePdf(`BT /F1 12 Tf ${"(a) Tj 1 0 Td ".repeat(3_000_000)} ET`);
		const answer = await convert(slow, "slow.pdf", { timeoutMs: 1500 });
		expect(answer).toMatchObject({
			ok: false,
			code: "CONVERT_TIMEOUT",
			message: expect.stringContaining("1500 ms"),
		});
	});

	it("stops when it is cancelled", async () => {
		const slow = makePdf(`BT /F1 12 Tf ${"(a) Tj 1 0 Td ".repeat(3_000_000)} ET`);
		const answer = await convert(slow, "slow.pdf", { signal: AbortSignal.timeout(500) });
		expect(answer).toMatchObject({ ok: false, code: "CONVERT_ABORTED" });
	});

	it("does not start when it is cancelled already", async () => {
		const answer = await convert(Buffer.from("x"), "a.txt", { signal: AbortSignal.abort() });
		expect(answer).toMatchObject({ ok: false, code: "CONVERT_ABORTED" });
	});

	it("stops when it takes too much memory", async () => {
		const greedy = makeDocx(wordDocument("<w:p><w:r><w:t>hello</w:t></w:r></w:p>".repeat(250_000)));
		const answer = await convert(greedy, "a.docx", { maxMemoryMb: 400 });
		expect(answer).toEqual({
			ok: false,
			code: "CONVERT_MEMORY_EXCEEDED",
			message: "The conversion needed more than 400 MB of memory and was stopped (convert.maxMemoryMb).",
		});
	});

	it("gives the process no environment, a bounded heap, and no right but to read program code", async () => {
		const spy = join(mkdtempSync(join(tmpdir(), "convert-spy-")), "node");
		writeNodeProgram(
			spy,
			"const markdown = JSON.stringify({ env: process.env, args: process.argv.slice(2) });\nprocess.stdout.write(JSON.stringify({ ok: true, markdown, metadata: {} }));\n",
		);
		const answer = await convert(Buffer.from("x"), "a.txt", { nodePath: spy, maxMemoryMb: 1000 });
		rmSync(join(spy, ".."), { recursive: true });
		const { env, args } = JSON.parse(answer.ok ? answer.markdown : "{}") as { env: object; args: string[] };
		expect(Object.keys(env).filter((name) => /PATH|HOME|TOKEN|KEY|USER/.test(name))).toEqual([]);
		expect(args).toContain("--max-old-space-size=600");
		expect(args).toContain("--permission");
		const readable = args.filter((arg) => arg.startsWith("--allow-fs-read=")).map((arg) => arg.split("=")[1]);
		expect(readable).toContain(join(import.meta.dirname, "../../../.."));
		expect(readable.every((root) => root !== "/" && root !== "*")).toBe(true);
		expect(args.filter((arg) => /allow-(fs-write|child-process|worker)/.test(arg))).toEqual([]);
	});

	it("says why the converter could not be started", async () => {
		const answer = await convert(Buffer.from("x"), "a.txt", { nodePath: "/does/not/exist" });
		expect(answer).toMatchObject({
			ok: false,
			code: "CONVERT_FAILED",
			message: expect.stringContaining("/does/not/exist"),
		});
	});

	it("says how the converter ended when it gave no answer", async () => {
		const answer = await convert(Buffer.from("x"), "a.txt", { nodePath: "/bin/false" });
		expect(answer).toMatchObject({
			ok: false,
			code: "CONVERT_FAILED",
			message: expect.stringContaining("exit code 1"),
		});
	});
});

describe("convertDocument with hostile files", { timeout: 120_000 }, () => {
	it.each<[string, string, () => Uint8Array, string, string]>([
		[
			"a zip bomb in a Word file",
			"a.docx",
			() => makeDocx(Buffer.alloc(300 * 1024 * 1024, 32)),
			"DOCUMENT_UNSAFE",
			"300 MiB",
		],
		[
			"a bomb that lies about its size",
			"a.docx",
			() =>
				makeZip([
					{ name: "[Content_Types].xml", content: "x" },
					{ name: "word/document.xml", content: Buffer.alloc(50_000_000), claimedBytes: 1000 },
				]),
			"DOCUMENT_UNSAFE",
			"more than it claims",
		],
		[
			"a million laughs in Word",
			"a.docx",
			() => makeDocx(`${BILLION_LAUGHS}<w:document>&lol9;</w:document>`),
			"DOCUMENT_UNSAFE",
			"entities",
		],
		[
			"a million laughs in OpenDocument",
			"a.odt",
			() => makeOdt(odtContent("<text:p>&lol9;</text:p>", BILLION_LAUGHS)),
			"DOCUMENT_UNSAFE",
			"entities",
		],
		[
			"XML nested without end in Word",
			"a.docx",
			() => makeDocx(wordDocument("<w:sdt>".repeat(200_000) + "</w:sdt>".repeat(200_000))),
			"DOCUMENT_UNSAFE",
			"deeper than 256",
		],
		[
			"XML nested without end in OpenDocument",
			"a.odt",
			() => makeOdt(odtContent("<text:section>".repeat(200_000) + "</text:section>".repeat(200_000))),
			"DOCUMENT_UNSAFE",
			"deeper than 256",
		],
		[
			"six million paragraphs",
			"a.docx",
			() => makeDocx(wordDocument("<w:p/>".repeat(6_000_000))),
			"DOCUMENT_UNSAFE",
			"6000002 XML elements",
		],
		[
			"a sheet over 100 MiB",
			"a.xlsx",
			() => makeXlsx(Buffer.alloc(101 * 1024 * 1024, 32)),
			"DOCUMENT_UNSAFE",
			"101 MiB",
		],
		[
			"a Word file that is cut off",
			"a.docx",
			() => readFileSync(join(fixtures, "libreoffice-report.docx")).subarray(0, 5000),
			"DOCUMENT_DAMAGED",
			"cut off",
		],
		[
			"an EPUB that is cut off",
			"a.epub",
			() => readFileSync(join(fixtures, "pandoc-report.epub")).subarray(0, 5000),
			"DOCUMENT_DAMAGED",
			"cut off",
		],
		[
			"an encrypted PDF",
			"a.pdf",
			() => readFileSync(join(fixtures, "encrypted-memo.pdf")),
			"DOCUMENT_ENCRYPTED",
			"password",
		],
		[
			"an encrypted part of a Word file",
			"a.docx",
			() =>
				makeZip([
					{ name: "[Content_Types].xml", content: "x" },
					{ name: "word/document.xml", content: "x", encrypted: true },
				]),
			"DOCUMENT_ENCRYPTED",
			"password",
		],
		[
			"an encrypted OpenDocument file",
			"a.odt",
			() => makeOdt("noise", [{ name: "META-INF/manifest.xml", content: "<manifest:encryption-data/>" }]),
			"DOCUMENT_ENCRYPTED",
			"password",
		],
		["a locked book", "a.epub", () => lockedBook(), "DOCUMENT_ENCRYPTED", "rights management"],
	])("refuses %s", async (_what, fileName, make, code, words) => {
		const answer = await convert(make(), fileName);
		expect(answer).toMatchObject({ ok: false, code, message: expect.stringContaining(words) });
	});

	it("refuses a workbook encrypted by a password", async () => {
		const workbook = await writeXlsx({
			sheets: [{ name: "S", rows: [["secret"]] }],
			encryption: { password: "secret", spinCount: 10 },
		} as Parameters<typeof writeXlsx>[0]);
		expect(await convert(workbook, "a.xlsx")).toMatchObject({ ok: false, code: "DOCUMENT_ENCRYPTED" });
	});

	it("shows the first rows of a sheet of 95 MB within the memory limit", async () => {
		const answer = await convert(makeXlsx(hugeWorksheet(95)), "big.xlsx");
		expect(answer).toMatchObject({ ok: true, markdown: expect.stringContaining("*(first 2000 of ") });
	});

	it("reads a page of 60,000 nested elements as text", async () => {
		const page = `<html><body>${"<div>".repeat(60_000)}deep${"</div>".repeat(60_000)}</body></html>`;
		const answer = await convert(Buffer.from(page), "deep.html");
		expect(answer).toMatchObject({ ok: true, markdown: expect.stringMatching(/text only\)\*\n\ndeep$/) });
	});

	it("lists a zip bomb without unpacking it", async () => {
		const answer = await convert(
			makeZip([{ name: "zeros", content: Buffer.alloc(200 * 1024 * 1024) }]),
			"bomb.zip",
		);
		expect(answer).toMatchObject({ ok: true, markdown: expect.stringContaining("| zeros | 209715200 |") });
	});
});

function lockedBook(): Buffer {
	const container =
		'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>';
	const book =
		'<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>';
	const locks =
		'<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="c.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>';
	return makeZip([
		{ name: "mimetype", content: "application/epub+zip", stored: true },
		{ name: "META-INF/container.xml", content: container },
		{ name: "META-INF/encryption.xml", content: locks },
		{ name: "book.opf", content: book },
		{ name: "c.xhtml", content: "noise" },
	]);
}
