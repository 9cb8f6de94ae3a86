import { describe, expect, it } from "vitest";
import { readWrittenCalls } from "../../../src/loop/read-written-calls.ts";

const OFFERED = ["ls", "read", "subagent_finalize"];
const LS = { name: "ls", argumentsText: '{"path":"."}' };
const read = (text: string) => {
	const found = readWrittenCalls(text, OFFERED);
	return found && { text: found.text, calls: found.calls.map(({ id: _, ...call }) => call) };
};

describe("calls of tools that a model wrote as text", () => {
	it.each([
		["alone", '{"name": "ls", "arguments": {"path": "."}}'],
		["with parameters, as Llama does", '{"name": "ls", "parameters": {"path": "."}}'],
		["behind Llama's tag", '<|python_tag|>{"name": "ls", "parameters": {"path": "."}}<|eom_id|>'],
		["in Llama's other form", '<function=ls>{"path": "."}</function>'],
		[
			"between Hermes' and Qwen's tags",
			'<tool_call>\n{"name": "ls", "arguments": {"path": "."}}\n</tool_call>',
		],
		["without the closing tag", '<tool_call>\n{"name": "ls", "arguments": {"path": "."}}'],
		["behind Mistral's tag", '[TOOL_CALLS][{"name": "ls", "arguments": {"path": "."}}]'],
		["in a fence", '```json\n{"name": "ls", "arguments": {"path": "."}}\n```'],
		[
			"as OpenAI's object",
			'{"type": "function", "function": {"name": "ls", "arguments": "{\\"path\\":\\".\\"}"}}',
		],
	])("are read: %s", (_form, text) => {
		expect(read(text)).toEqual({ text: "", calls: [LS] });
	});

	it("are read when there are several, and the words around marked ones stay", () => {
		expect(
			read(
				'I look.\n<tool_call>{"name":"ls","arguments":{"path":"."}}</tool_call>\n<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>',
			),
		).toEqual({ text: "I look.", calls: [LS, { name: "read", argumentsText: '{"path":"a"}' }] });
		const two = '{"name":"ls","arguments":{"path":"."}}\n{"name":"ls","arguments":{"path":"."}}';
		expect(read(two)?.calls).toEqual([LS, LS]);
		expect(new Set(readWrittenCalls(two, OFFERED)?.calls.map(({ id }) => id)).size).toBe(2);
	});

	it("are read when a handover lacks the name of its tool", () => {
		expect(read('{"status": "SUCCESS", "result": "It is there."}')?.calls).toEqual([
			{ name: "subagent_finalize", argumentsText: '{"status":"SUCCESS","result":"It is there."}' },
		]);
	});

	it.each([
		["an answer", "It is in a.js."],
		["an answer that quotes a call", 'The model says {"name": "ls", "arguments": {}} here.'],
		["JSON of another kind", '{"name": "ls", "version": "1.0.0"}'],
		["a tool that was not offered", '{"name": "bash", "arguments": {"command": "rm -rf /"}}'],
		[
			"one of several that was not offered",
			'<tool_call>{"name":"ls","arguments":{}}</tool_call><tool_call>{"name":"bash","arguments":{}}</tool_call>',
		],
		["half a call", '<tool_call>{"name": "ls", "argum'],
		["a list of numbers", "[1, 2, {}]"],
		["a status of something else", '{"status": "SUCCESS", "count": 3}'],
	])("are not seen in %s", (_what, text) => {
		expect(read(text)).toBeUndefined();
	});

	it("are not looked for where there are no tools, or in a text beyond all measure", () => {
		expect(readWrittenCalls('{"name":"ls","arguments":{}}', [])).toBeUndefined();
		const long = `{"name":"ls","arguments":{"path":"${"x".repeat(1_000_000)}"}}`;
		expect(readWrittenCalls(long, OFFERED)).toBeUndefined();
	});

	it.each(["<tool_call>", "<function=a>", "<tool_call> \n ", "```json\n", "{;"])(
		"take a time that grows with the text: %j",
		(piece) => {
			const began = performance.now();
			readWrittenCalls(`${piece.repeat(Math.floor(900_000 / piece.length))}{`, OFFERED);
			readWrittenCalls(`${piece}${" ".repeat(900_000)}{`, OFFERED);
			expect(performance.now() - began).toBeLessThan(5000);
		},
	);
});
