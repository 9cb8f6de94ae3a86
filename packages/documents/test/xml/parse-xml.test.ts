import { describe, expect, it } from "vitest";
import { BILLION_LAUGHS } from "../../../../test/helpers/convert-hostile.ts";
import { CONVERSION_LIMITS } from "../../conversion-limits.ts";
import { parseXml } from "../../xml/parse-xml.ts";
import { descend, textOf } from "../../xml/xml-element.ts";

const code = (source: string): string => {
	try {
		parseXml(source);
		return "none";
	} catch (error) {
		return (error as { code: string }).code;
	}
};

describe("parseXml", () => {
	it("keeps elements, attributes and text in order", () => {
		const root = parseXml('<?xml version="1.0"?><a x="1" y=\'2\'>t<b/>u<!-- no --><![CDATA[<v>]]></a>');
		expect(root.children).toEqual([
			{
				name: "a",
				attributes: { x: "1", y: "2" },
				children: ["t", { name: "b", attributes: {}, children: [] }, "u", "<v>"],
			},
		]);
	});

	it("decodes the five names and numbers, and leaves everything else as written", () => {
		const text = textOf(
			parseXml("<a>&lt;&amp;&quot;&apos;&gt;&#65;&#x1F600;&nbsp;&lol;&#0;&#x110000;</a>").children[0],
		);
		expect(text).toBe("<&\"'>A😀&nbsp;&lol;&#0;&#x110000;");
	});

	it("calls a namespace by our prefix, whatever the writer called it", () => {
		const prefixes = { "urn:one": "one", "urn:two": "two" };
		const root = parseXml(
			'<x:a xmlns:x="urn:one" xmlns="urn:two"><b x:c="1" d="2"/><x:e xmlns:x="urn:two"/></x:a>',
			prefixes,
		);
		const a = descend(root, "one:a");
		expect(descend(a, "two:b")?.attributes).toMatchObject({ "one:c": "1", d: "2" });
		expect(descend(a, "two:e")).toBeDefined();
	});

	it("finds the end of a tag behind a > in an attribute", () => {
		expect(textOf(parseXml('<a x="1>2">t</a>').children[0])).toBe("t");
	});

	it("steps over a DOCTYPE that declares nothing", () => {
		expect(textOf(parseXml('<!DOCTYPE a SYSTEM "a.dtd"><a>t</a>').children[0])).toBe("t");
		expect(textOf(parseXml("<!DOCTYPE a [<!ELEMENT a ANY>]><a>t</a>").children[0])).toBe("t");
	});

	it("refuses a document that declares entities", () => {
		expect(code(`${BILLION_LAUGHS}<a>&lol9;</a>`)).toBe("DOCUMENT_UNSAFE");
		expect(code('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toBe("DOCUMENT_UNSAFE");
	});

	it("refuses depth and numbers that no document has", () => {
		const depth = CONVERSION_LIMITS.maxXmlDepth - 1;
		expect(code("<a>".repeat(depth) + "</a>".repeat(depth))).toBe("none");
		expect(code("<a>".repeat(depth + 1) + "</a>".repeat(depth + 1))).toBe("DOCUMENT_UNSAFE");
		expect(code(`<r>${"<a/>".repeat(CONVERSION_LIMITS.maxXmlElements)}</r>`)).toBe("DOCUMENT_UNSAFE");
	});

	it("calls XML damaged wherever it is cut", () => {
		const source = '<a x="1"><b>text</b><!-- c --><![CDATA[d]]></a>';
		for (let length = 1; length < source.length; length += 1)
			expect(code(source.slice(0, length)), `cut at ${length}`).toBe("DOCUMENT_DAMAGED");
	});

	it("refuses tags that do not match", () => {
		expect(code("<a><b></a></b>")).toBe("DOCUMENT_DAMAGED");
		expect(code("<a></a></a>")).toBe("DOCUMENT_DAMAGED");
	});

	it("keeps names from outside apart from those of objects", () => {
		const element = descend(parseXml('<a __proto__="x" constructor="y"/>'), "a");
		expect(element?.attributes["toString"]).toBeUndefined();
		expect(element?.attributes["constructor"]).toBe("y");
	});
});
