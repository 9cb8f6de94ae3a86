import { describe, expect, it } from "vitest";
import { BILLION_LAUGHS } from "../../../../test/helpers/convert-hostile.ts";
import { checkXmlBytes } from "../../xml/check-xml-bytes.ts";

const check =
	(xml: string, maxElements = 100) =>
	() =>
		checkXmlBytes("part.xml", Buffer.from(xml), maxElements);
const unsafe = (words: string) =>
	expect.objectContaining({ code: "DOCUMENT_UNSAFE", message: expect.stringContaining(words) });

describe("checkXmlBytes", () => {
	it("lets an ordinary part pass", () => {
		expect(check('<?xml version="1.0"?><!-- c --><a><b/><c x="1">t</c></a>')).not.toThrow();
	});

	it("refuses entity declarations by the name of the part", () => {
		expect(check(`${BILLION_LAUGHS}<a/>`)).toThrow(unsafe('"part.xml" declares XML entities'));
	});

	it("refuses depth", () => {
		expect(check("<a>".repeat(300), 1000)).toThrow(unsafe("nests XML deeper than 256"));
	});

	it("does not count empty and closed elements as depth", () => {
		expect(check(`<r>${"<a/><b></b>".repeat(300)}</r>`, 1000)).not.toThrow();
	});

	it("is not confused by brackets in attributes, comments and CDATA", () => {
		const xml = `<r>${"<a f=\"1>2\"/><b g='x/>y'></b><!-- <c> --><![CDATA[<d>]]>".repeat(300)}</r>`;
		expect(check(xml, 1000)).not.toThrow();
	});

	it("calls a part that is cut off damaged", () => {
		for (const xml of ["<a><b>text", "<a><b x='1", "<a><!-- x", "<a><![CDATA[x"])
			expect(check(xml), xml).toThrow(expect.objectContaining({ code: "DOCUMENT_DAMAGED" }));
	});

	it("refuses too many elements", () => {
		expect(check("<a/>".repeat(101))).toThrow(unsafe("has 101 XML elements"));
	});
});
