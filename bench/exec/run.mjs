// spawn → POST on loopback → 200 events → exit, for each program in turn, so that a busy moment hits all of them.
// `node run.mjs [rounds]`; needs a compiled package and the SDKs in test/peers. Prints Markdown.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, loadavg, release } from "node:os";
import { fileURLToPath } from "node:url";
import { createSseParser } from "../../src/loop/http/parse-sse.ts";
import { median } from "../samples.ts";

const rounds = Number(process.argv[2] ?? 21);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const EVENTS = 200;
const WORD = "token ";

function chatFrames() {
	const chunk = (delta, finish = null) =>
		`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
	return [
		...Array.from({ length: EVENTS }, () => chunk({ role: "assistant", content: WORD })),
		chunk({}, "stop"),
		"data: [DONE]\n\n",
	];
}

function anthropicFrames() {
	const frame = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
	return [
		frame({
			type: "message_start",
			message: {
				id: "m",
				type: "message",
				role: "assistant",
				content: [],
				model: "m",
				usage: { input_tokens: 1, output_tokens: 1 },
			},
		}),
		frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
		...Array.from({ length: EVENTS }, () =>
			frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: WORD } }),
		),
		frame({ type: "content_block_stop", index: 0 }),
		frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: EVENTS } }),
		frame({ type: "message_stop" }),
	];
}

const server = createServer((message, response) => {
	message.resume();
	message.on("end", () => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const frame of message.url.includes("anthropic") ? anthropicFrames() : chatFrames())
			response.write(frame);
		response.end();
	});
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/v1/chat/completions`;
const payload = (provider, path = url) => JSON.stringify({ model: "m", provider, url: path, prompt: "hi" });

const programs = [
	["node alone", ["-e", "0"], "", false],
	["bare node:http (the floor)", [here("floor.mjs")], payload("openai-chat"), true],
	["dist/loop.js, chat", [here("../../dist/loop.js")], payload("openai-chat"), true],
	[
		"dist/loop.js, anthropic",
		[here("../../dist/loop.js")],
		payload("anthropic", url.replace("/chat/completions", "/anthropic/v1/messages")),
		true,
	],
	["deputize exec", [here("../../dist/cli.js"), "exec"], payload("openai-chat"), true],
	["openai SDK", [here("sdk-openai.mjs")], payload("openai-chat"), true],
	["@anthropic-ai/sdk", [here("sdk-anthropic.mjs")], payload("openai-chat"), true],
];

function runOnce([name, args, input, speaks]) {
	return new Promise((resolve, reject) => {
		const startedAt = performance.now();
		const child = spawn(process.execPath, args, {
			stdio: ["pipe", "pipe", "inherit"],
			env: { PATH: process.env.PATH },
		});
		let bytes = "";
		child.stdout.on("data", (chunk) => {
			bytes += chunk;
		});
		child.stdin.on("error", () => undefined);
		child.stdin.end(input);
		child.on("close", (code) => {
			const took = performance.now() - startedAt;
			const words = bytes.split('"delta":"token ').length - 1;
			if (code !== 0 || (speaks && words !== EVENTS))
				reject(new Error(`${name}: exit ${code}, ${words} events`));
			else resolve(took);
		});
	});
}

const times = new Map(programs.map(([name]) => [name, []]));
for (const program of programs) await runOnce(program);
for (let round = 0; round < rounds; round += 1) {
	for (const program of programs) times.get(program[0]).push(await runOnce(program));
}
server.close();

const floor = times.get("bare node:http (the floor)");
const lines = [
	`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, Linux ${release()}, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds, ${EVENTS} events each.`,
	"",
	"| program | min ms | median ms | min ÷ floor | median ÷ floor |",
	"|---|---|---|---|---|",
	...[...times].map(
		([name, list]) =>
			`| ${name} | ${Math.min(...list).toFixed(0)} | ${median(list).toFixed(0)} | ${(Math.min(...list) / Math.min(...floor)).toFixed(2)} | ${(median(list) / median(floor)).toFixed(2)} |`,
	),
	"",
	...measureParser(),
];
console.log(lines.join("\n"));
writeFileSync(here("results/latest.md"), `${lines.join("\n")}\n`);

function measureParser() {
	const event =
		'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"hello world this is a token","sequence_number":12}\n\n';
	const bytes = Buffer.from(event.repeat(Math.ceil(32e6 / event.length)));
	const speed = (size) => {
		const runs = Array.from({ length: 5 }, () => {
			let seen = 0;
			const parser = createSseParser({ maxEventChars: 1e8, onEvent: () => (seen += 1) });
			const startedAt = performance.now();
			for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
			parser.end();
			return bytes.length / 1e6 / ((performance.now() - startedAt) / 1000);
		});
		return median(runs).toFixed(0);
	};
	const big = Buffer.from(`data: ${"x".repeat(8 * 1024 * 1024)}\n\n`);
	const startedAt = performance.now();
	const parser = createSseParser({ maxEventChars: 1e8, onEvent: () => undefined });
	for (let at = 0; at < big.length; at += 1024) parser.push(big.subarray(at, at + 1024));
	parser.end();
	const bigMs = performance.now() - startedAt;
	return [
		`SSE parser: ${speed(16_384)} MB/s in 16 KB chunks, ${speed(61)} MB/s in 61-byte chunks; one 8 MB event in 1 KB pieces: ${bigMs.toFixed(0)} ms.`,
	];
}
