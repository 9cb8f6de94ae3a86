import { describe, expect, it } from "vitest";
import { classifyLine } from "../classify-line.ts";

describe("classifyLine", () => {
	it.each([
		["export function parseSse(text: string) {", "definition", "parseSse"],
		["\tasync dispatch (options, handler) {", "definition", "dispatch"],
		["class Pool extends PoolBase {", "definition", "Pool"],
		["export const LIMITS = {", "definition", "LIMITS"],
		["export type ToolRule =", "definition", "ToolRule"],
		["exports.dataUri = imgElement(function(element) {", "definition", "dataUri"],
		["Promise.prototype.done = function () {", "definition", "done"],
		["def parse_line(self, text):", "definition", "parse_line"],
		["func (s *Server) Serve(l net.Listener) error {", "definition", "Serve"],
		["pub fn spawn(cmd: &str) -> Result<()> {", "definition", "spawn"],
		["public static void main(String[] args) {", "definition", "main"],
		["#define MAX_LINES 10", "definition", "MAX_LINES"],
		["\t\tconst child = open(spec);", "definition", "child"],
		["\treadonly maxDepth: number;", "property", "maxDepth"],
		['  "description": "x"', "property", "description"],
		["import { parse } from './parse.ts';", "import", undefined],
		["const { MockPool } = require('./mock-pool')", "import", undefined],
		["module.exports.MockPool = MockPool", "import", undefined],
		["exports.fold = foldFlowLines.fold;", "import", undefined],
		["export { parse } from './parse.ts';", "import", undefined],
		["#include <stdio.h>", "import", undefined],
		["// decides the tools of a child", "comment", undefined],
		["/** Decides the tools. */", "comment", undefined],
		[" * more of it", "comment", undefined],
		["# a shell comment", "comment", undefined],
		["if (child.killed) {", "code", undefined],
		["describe('x', () => {", "code", undefined],
		["", "code", undefined],
	])("reads %j as %s", (text, role, name) => {
		const reading = classifyLine(text);
		expect(reading.role).toBe(role);
		expect(reading.name).toBe(name);
	});

	it("knows what is exported and what is local", () => {
		expect(classifyLine("export class A {").exported).toBe(true);
		expect(classifyLine("class A {").exported).toBe(false);
		expect(classifyLine("\tconst a = 1;").local).toBe(true);
		expect(classifyLine("const a = 1;").local).toBe(false);
	});
});
