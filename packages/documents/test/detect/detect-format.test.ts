import { describe, expect, it } from "vitest";
import { makeZip } from "../../../../test/helpers/convert-zip.ts";
import { detectFormat } from "../../detect/detect-format.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const compoundFile = (stream: string): Buffer =>
	Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1024), Buffer.from(stream, "utf16le")]);
const refusal = (content: Buffer, fileName = "a.bin"): unknown => {
	try {
		return detectFormat(content, { fileName });
	} catch (error) {
		return { code: (error as { code: string }).code, message: (error as Error).message };
	}
};

describe("detectFormat", () => {
	it.each([
		["%PDF-1.7", {}, "pdf"],
		["junk\n%PDF-1.7", {}, "pdf"],
		["{\\rtf1 x}", { fileName: "a.doc" }, "rtf"],
		["\x89PNG\r\n\x1a\n", {}, "png"],
		["\xff\xd8\xff\xe0", {}, "jpeg"],
		["GIF89a", {}, "gif"],
		["RIFF\x00\x00\x00\x00WEBP", {}, "webp"],
		["<!DOCTYPE html><p>x", {}, "html"],
		["  <html lang=en>", { fileName: "a.txt" }, "html"],
		["<p>x", { fileName: "a.htm" }, "html"],
		["<p>x", { contentType: "text/html; charset=utf-8" }, "html"],
		["<p>x", {}, "text"],
		['<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg"/>', {}, "svg"],
		["a,b", { fileName: "A.CSV" }, "csv"],
		["a,b", { contentType: "text/csv" }, "csv"],
		["a\tb", { fileName: "a.tsv" }, "tsv"],
		["a,b", {}, "text"],
		['{"cells": [], "nbformat": 4}', { fileName: "a.ipynb" }, "ipynb"],
		["not a notebook", { fileName: "a.ipynb" }, "text"],
		['{"a": 1}', { fileName: "a.json" }, "text"],
		["Received: from x\r\nSubject: y\r\n\r\nz", {}, "eml"],
		["From: a note\nabout nothing", {}, "text"],
		["anything", { fileName: "a.eml" }, "eml"],
		["\xff\xfeh\x00i\x00", {}, "text"],
		["# Markdown", { fileName: "README.md" }, "text"],
		["a word", { fileName: "notes.constructor" }, "text"],
		["a word", { contentType: "toString" }, "text"],
	])("takes %j with %j for %s", (text, hint, format) => {
		expect(detectFormat(bytes(text), hint)).toBe(format);
	});

	it.each([
		["docx", ["[Content_Types].xml", "word/document.xml"]],
		["pptx", ["[Content_Types].xml", "ppt/presentation.xml"]],
		["xlsx", ["[Content_Types].xml", "xl/workbook.xml"]],
		["epub", ["META-INF/container.xml"]],
		["zip", ["readme.txt", "word/notes.txt"]],
	])("takes an archive for %s by the names inside", (format, names) => {
		expect(detectFormat(makeZip(names.map((name) => ({ name, content: "x" }))), {})).toBe(format);
	});

	it.each([
		["odt", "application/vnd.oasis.opendocument.text"],
		["odt", "application/vnd.oasis.opendocument.text-template"],
		["ods", "application/vnd.oasis.opendocument.spreadsheet"],
		["odp", "application/vnd.oasis.opendocument.presentation"],
		["epub", "application/epub+zip"],
	])("takes an archive for %s by its mimetype %s", (format, mimetype) => {
		expect(detectFormat(makeZip([{ name: "mimetype", content: mimetype, stored: true }]), {})).toBe(format);
	});

	it("lists a zip bomb as an archive, since listing unpacks nothing", () => {
		expect(detectFormat(makeZip([{ name: "a", content: "x", claimedBytes: 0xfffffffe }]), {})).toBe("zip");
	});

	it.each([
		[
			"an encrypted Office file",
			compoundFile("EncryptedPackage"),
			"DOCUMENT_ENCRYPTED",
			"without a password",
		],
		["an old Word file", compoundFile("WordDocument"), "UNSUPPORTED_FORMAT", "--convert-to docx"],
		[
			"an old PowerPoint file",
			compoundFile("PowerPoint Document"),
			"UNSUPPORTED_FORMAT",
			"--convert-to pptx",
		],
		["an unknown compound file", compoundFile("Something"), "UNSUPPORTED_FORMAT", "unknown program"],
		[
			"a binary workbook",
			makeZip([
				{ name: "[Content_Types].xml", content: "" },
				{ name: "xl/workbook.bin", content: "" },
			]),
			"UNSUPPORTED_FORMAT",
			".xlsb",
		],
		[
			"a gzip file",
			bytes("\x1f\x8b\x08\x00"),
			"UNSUPPORTED_FORMAT",
			"a gzip file; there is no reader for it. Unpack it first.",
		],
		["a movie", bytes("\x00\x00\x00\x18ftypmp42"), "UNSUPPORTED_FORMAT", "audio or video"],
		["noise", bytes("\x00\x01\x02"), "UNSUPPORTED_FORMAT", '"a.bin" is a binary file of an unknown kind'],
		["an archive that is cut off", bytes("PK\x03\x04abc"), "DOCUMENT_DAMAGED", "cut off"],
	])("refuses %s and says why", (_what, content, code, words) => {
		expect(refusal(content)).toMatchObject({ code, message: expect.stringContaining(words) });
	});

	it("knows an old workbook, which has a reader", () => {
		expect(refusal(compoundFile("Workbook"))).toBe("xls");
	});
});
