import { describe, expect, it } from "vitest";
import {
	compoundPattern,
	definitionPattern,
	escapeRegex,
	fileNameGlob,
	pathGlob,
	wordPattern,
} from "../../../src/navigator/build-search-patterns.ts";

describe("search patterns", () => {
	it("escape everything that means something in a regular expression", () => {
		const text = "a.b*c(d)[e]{f}|g^h$i+j?k\\l-m";
		expect(new RegExp(`^${escapeRegex(text)}$`).test(text)).toBe(true);
	});

	it("find a word inside identifiers, a short one only where it begins", () => {
		expect(wordPattern("tool")).toBe("tool");
		expect(wordPattern("retri")).toBe("retr[iy]");
		expect(wordPattern("sse")).toBe("(?:\\b|_)sse|(?-i:[a-z0-9](?:Sse|SSE))");
	});

	it("find a compound in every spelling", () => {
		const pattern = new RegExp(compoundPattern("tool-list"), "i");
		for (const spelling of ["tool-list", "toolList", "tool_list", "TOOL_LIST", "tool list", "toollist"]) {
			expect(spelling).toMatch(pattern);
		}
		expect("tool for a list").not.toMatch(pattern);
	});

	it.each([
		"export function parse(text) {",
		"class parse {",
		"const parse = 1",
		"  parse: function () {",
		"  async parse (text) {",
		"exports.parse = x",
		"def parse(self):",
	])("take %j for a definition of parse", (line) => {
		expect(line).toMatch(new RegExp(definitionPattern("parse")));
	});

	it.each(["const parser = 1", "parse(text)", "reparse()"])("do not take %j for one", (line) => {
		expect(line).not.toMatch(new RegExp(definitionPattern("parse")));
	});

	it("match file names whatever their case, since find decides that by itself", () => {
		expect(fileNameGlob("tool")).toBe("*[tT]ool*");
		expect(fileNameGlob("retri")).toBe("*[rR]etr*");
		expect(fileNameGlob("1[b")).toBe("*1?b*");
	});

	it("turn a path of the task into a glob without special characters", () => {
		expect(pathGlob("./src/a[b]*.ts")).toBe("src/a?b??.ts");
		expect(pathGlob("~/../")).toBe("");
	});
});
