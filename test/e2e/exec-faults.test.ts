import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { BASE_PAYLOAD, type ProgramEnding, runProgram } from "../helpers/loop-program.ts";
import {
	type Answer,
	anthropicText,
	chatText,
	responsesText,
	startScriptedServer,
	writeJson,
	writeSse,
} from "../helpers/loop-server.ts";

const TEXT = "Pâris 👩‍👧 is the capital";
const SSE = { "content-type": "text/event-stream" };

type Provider = "openai-responses" | "openai-chat" | "anthropic";

async function ask(
	answers: Answer | Answer[],
	provider: Provider = "openai-responses",
	args: string[] = [],
): Promise<ProgramEnding & { requests: number }> {
	const server = await startScriptedServer(answers);
	const ending = await runProgram({ ...BASE_PAYLOAD, provider, url: `${server.url}/v1/x` }, { args });
	await server.close();
	// Whatever happened, stdout is whole events in ASCII and ends the same way, and a failure is one line.
	expect(ending.stdout).toMatch(/^(?:event: \w+\ndata: [\x20-\x7e]*\n\n)+$/);
	expect(ending.events.at(-1)?.event).toBe("response_end");
	expect(ending.stderr.split("\n").filter((line) => line !== "")).toHaveLength(ending.exitCode === 0 ? 0 : 1);
	return { ...ending, requests: server.requests.length };
}

const frames: Record<Provider, string> = {
	"openai-responses": toFrames(responsesText(TEXT), true),
	"openai-chat": toFrames(chatText(TEXT), false),
	anthropic: toFrames(anthropicText(TEXT), true),
};

function toFrames(events: (object | string)[], named: boolean): string {
	return events
		.map((event) => {
			const data = typeof event === "string" ? event : JSON.stringify(event);
			const name = named && typeof event !== "string" ? `event: ${(event as { type: string }).type}\n` : "";
			return `${name}data: ${data}\n\n`;
		})
		.join("");
}

function sendBytes(response: ServerResponse, bytes: Buffer, size = bytes.length): void {
	response.writeHead(200, SSE);
	const sendNext = (at: number): void => {
		if (at >= bytes.length) {
			response.end();
			return;
		}
		response.write(bytes.subarray(at, at + size), () => setImmediate(sendNext, at + size));
	};
	sendNext(0);
}

describe.concurrent.each(["openai-responses", "openai-chat", "anthropic"] as const)(
	"faults that change nothing: %s",
	(provider) => {
		const text = frames[provider];
		const variants: [string, Answer][] = [
			["line feeds", (response) => sendBytes(response, Buffer.from(text))],
			[
				"carriage return and line feed",
				(response) => sendBytes(response, Buffer.from(text.replaceAll("\n", "\r\n"))),
			],
			["lone carriage returns", (response) => sendBytes(response, Buffer.from(text.replaceAll("\n", "\r")))],
			["three bytes at a time", (response) => sendBytes(response, Buffer.from(text), 3)],
			[
				"CRLF one byte at a time",
				(response) => sendBytes(response, Buffer.from(text.replaceAll("\n", "\r\n")), 1),
			],
			["a byte order mark", (response) => sendBytes(response, Buffer.from(`\ufeff${text}`))],
			[
				"comments and pings",
				(response) =>
					sendBytes(
						response,
						Buffer.from(
							`: OPENROUTER PROCESSING\n\nevent: ping\ndata: {"type":"ping"}\n\n${text.replaceAll("\n\n", "\n\n:\n\n")}`,
						),
					),
			],
			[
				"no space after the colon",
				(response) => sendBytes(response, Buffer.from(text.replaceAll("data: ", "data:"))),
			],
			[
				"no event names, ids and retries",
				(response) => sendBytes(response, Buffer.from(text.replaceAll(/^event: .*$/gm, "id: 7\nretry: 10"))),
			],
			[
				"wrong event names",
				(response) => sendBytes(response, Buffer.from(text.replaceAll(/^event: .*$/gm, "event: message"))),
			],
			[
				"data over several lines",
				(response) => sendBytes(response, Buffer.from(text.replaceAll(/^data: \{/gm, "data: {\ndata: "))),
			],
			[
				"unknown events",
				(response) => sendBytes(response, Buffer.from(`data: {"type":"response.novelty","x":1}\n\n${text}`)),
			],
			[
				"no blank line at the end",
				(response) => sendBytes(response, Buffer.from(text.replace(/\n+$/, "\n"))),
			],
			["no newline at the end", (response) => sendBytes(response, Buffer.from(text.replace(/\n+$/, "")))],
			["a DONE with a space", (response) => sendBytes(response, Buffer.from(`${text}data: [DONE] \n\n`))],
			[
				"gzip although it was not asked for",
				(response) => {
					response.writeHead(200, { ...SSE, "content-encoding": "gzip" });
					response.end(gzipSync(text));
				},
			],
			[
				"brotli",
				(response) => {
					response.writeHead(200, { ...SSE, "content-encoding": "br" });
					response.end(brotliCompressSync(text));
				},
			],
			[
				"a content type with a charset",
				(response) => {
					response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
					response.end(text);
				},
			],
			[
				"a wrong content type",
				(response) => {
					response.writeHead(200, { "content-type": "application/json" });
					response.end(text);
				},
			],
			[
				"a connection that stays open after the end",
				(response) => {
					response.writeHead(200, SSE);
					response.write(text);
				},
			],
		];

		it.each(variants)("%s", async (_name, answer) => {
			const ending = await ask(answer, provider);
			expect(ending.error).toBeUndefined();
			expect(ending.text).toBe(TEXT);
			expect(ending.exitCode).toBe(0);
			expect(ending.requests).toBe(1);
		});
	},
);

describe.concurrent.each(["openai-responses", "openai-chat", "anthropic"] as const)(
	"faults that must be errors: %s",
	(provider) => {
		const text = frames[provider];
		const cutAt = text.indexOf(
			provider === "openai-chat"
				? '{"id":"chatcmpl-1","choices":[{"index":0,"delta":{},'
				: provider === "anthropic"
					? "event: message_delta"
					: "event: response.completed",
		);
		const partial = text.slice(0, cutAt).replace(/data: $/, "");
		const cases: [string, string, Answer][] = [
			[
				"a clean end without the terminal event",
				"stream_truncated",
				(response) => sendBytes(response, Buffer.from(partial)),
			],
			[
				"an end in the middle of an event",
				"stream_truncated",
				(response) => sendBytes(response, Buffer.from(`${partial}data: {"type":"respon`)),
			],
			[
				"an event that is not JSON",
				"malformed_event",
				(response) => sendBytes(response, Buffer.from(`${partial}data: {"type":]\n\n${text.slice(cutAt)}`)),
			],
			[
				"an event that is not an object",
				"malformed_event",
				(response) => sendBytes(response, Buffer.from(`${partial}data: 7\n\n`)),
			],
			[
				"a reset in the middle",
				"stream_truncated",
				(response) => {
					response.writeHead(200, SSE);
					response.write(partial, () => setTimeout(() => response.socket?.resetAndDestroy(), 50));
				},
			],
			[
				"a close in the middle of a chunk",
				"stream_truncated",
				(response) => {
					response.writeHead(200, SSE);
					response.write(partial, () =>
						response.socket?.write("400\r\ndata: {", () => response.socket?.destroy()),
					);
				},
			],
			[
				"less than the announced length",
				"stream_truncated",
				(response) => {
					response.writeHead(200, { ...SSE, "content-length": String(Buffer.byteLength(text) + 100) });
					response.write(partial, () => setTimeout(() => response.socket?.end(), 50));
				},
			],
			[
				"a compressed stream that was cut",
				"stream_truncated",
				(response) => {
					const bytes = gzipSync(text);
					response.writeHead(200, { ...SSE, "content-encoding": "gzip" });
					response.end(bytes.subarray(0, bytes.length - 60));
				},
			],
			[
				"an error event, flat",
				"provider_error",
				(response) =>
					sendBytes(
						response,
						Buffer.from(`${partial}event: error\ndata: {"type":"error","code":"x","message":"broken"}\n\n`),
					),
			],
			[
				"an error event, nested",
				"provider_error",
				(response) =>
					sendBytes(
						response,
						Buffer.from(
							`${partial}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n`,
						),
					),
			],
			[
				"an error without a name",
				"provider_error",
				(response) =>
					sendBytes(response, Buffer.from(`${partial}data: {"error":{"message":"broken","code":500}}\n\n`)),
			],
		];

		it.each(cases)("%s", async (_name, code, answer) => {
			const ending = await ask(answer, provider);
			expect(ending.error?.code).toBe(code);
			expect(ending.exitCode).not.toBe(0);
			// What was said before the fault is not lost, and after it was said nothing is tried again.
			expect([TEXT, ""]).toContain(ending.text);
			if (ending.text !== "") expect(ending.requests).toBe(1);
		});

		it("silence after the first bytes", async () => {
			const ending = await ask(
				(response) => {
					response.writeHead(200, SSE);
					response.write(partial);
				},
				provider,
				["--idle-timeout-ms", "3000"],
			);
			expect(ending.error?.code).toBe("idle_timeout");
			expect(ending.exitCode).toBe(124);
			expect(ending.text).toBe(TEXT);
		});

		it("silence before the first byte", async () => {
			const ending = await ask(() => undefined, provider, ["--idle-timeout-ms", "400"]);
			expect(ending.error?.code).toBe("idle_timeout");
			expect(ending.exitCode).toBe(124);
		});

		it("signs of life for ever", async () => {
			const ending = await ask(
				(response) => {
					response.writeHead(200, SSE);
					const timer = setInterval(
						() => response.write(': alive\n\nevent: ping\ndata: {"type":"ping"}\n\n'),
						50,
					);
					response.on("close", () => clearInterval(timer));
				},
				provider,
				["--idle-timeout-ms", "300"],
			);
			expect(ending.error?.code).toBe("idle_timeout");
		});

		it("an answer that takes too long in all", async () => {
			const ending = await ask(
				(response) => {
					response.writeHead(200, SSE);
					const timer = setInterval(() => response.write(": alive\n\n"), 50);
					response.on("close", () => clearInterval(timer));
				},
				provider,
				["--timeout-ms", "700"],
			);
			expect(ending.error?.code).toBe("timeout");
			expect(ending.exitCode).toBe(124);
		});

		it("a page of a gateway with status 200", async () => {
			const ending = await ask((response) => {
				response.writeHead(200, { "content-type": "text/html" });
				response.end("<!doctype html><html><head><title>Sign in</title></head><body>…</body></html>");
			}, provider);
			expect(ending.error?.code).toBe("unexpected_body");
			expect(ending.error?.message).toContain("Sign in");
		});

		it("an error as JSON with status 200", async () => {
			const ending = await ask(
				(response) => writeJson(response, 200, { error: { message: "quota exceeded", type: "quota" } }),
				provider,
			);
			expect(ending.error?.message).toContain("quota exceeded");
			expect(ending.exitCode).toBe(1);
		});

		it("JSON that is something else", async () => {
			const ending = await ask((response) => writeJson(response, 200, { hello: "world" }), provider);
			expect(ending.error?.code).toBe("unexpected_body");
		});

		it("an empty body", async () => {
			const ending = await ask((response) => response.writeHead(200, SSE).end(), provider);
			expect(ending.error?.code).toBe("stream_truncated");
		});
	},
);

describe.concurrent("answers the provider itself calls incomplete", () => {
	const cases: [string, Provider, object[], string][] = [
		[
			"response.incomplete",
			"openai-responses",
			[
				...responsesText(TEXT).slice(0, 2),
				{
					type: "response.incomplete",
					response: { id: "r", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
				},
			],
			"output_limit",
		],
		[
			"response.incomplete by a filter",
			"openai-responses",
			[
				...responsesText(TEXT).slice(0, 2),
				{ type: "response.incomplete", response: { incomplete_details: { reason: "content_filter" } } },
			],
			"content_filter",
		],
		[
			"completed with status incomplete",
			"openai-responses",
			[
				...responsesText(TEXT).slice(0, 2),
				{
					type: "response.completed",
					response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
				},
			],
			"output_limit",
		],
		[
			"response.failed",
			"openai-responses",
			[
				...responsesText(TEXT).slice(0, 2),
				{
					type: "response.failed",
					response: { status: "failed", error: { code: "server_error", message: "oops" } },
				},
			],
			"provider_error",
		],
		[
			"a refusal",
			"openai-responses",
			[
				{ type: "response.created", response: { id: "r" } },
				{ type: "response.refusal.delta", delta: "I cannot" },
				{ type: "response.completed", response: { id: "r" } },
			],
			"refusal",
		],
		[
			"finish_reason length",
			"openai-chat",
			[
				{ id: "c", choices: [{ delta: { content: TEXT }, finish_reason: null }] },
				{ id: "c", choices: [{ delta: {}, finish_reason: "length" }] },
			],
			"output_limit",
		],
		[
			"finish_reason content_filter",
			"openai-chat",
			[
				{ id: "c", choices: [{ delta: { content: TEXT }, finish_reason: null }] },
				{ id: "c", choices: [{ delta: {}, finish_reason: "content_filter" }] },
			],
			"content_filter",
		],
		[
			"a chat refusal",
			"openai-chat",
			[
				{ id: "c", choices: [{ delta: { refusal: "No." }, finish_reason: null }] },
				{ id: "c", choices: [{ delta: {}, finish_reason: "stop" }] },
			],
			"refusal",
		],
		[
			"stop_reason max_tokens",
			"anthropic",
			[
				...anthropicText(TEXT).slice(0, 4),
				{ type: "message_delta", delta: { stop_reason: "max_tokens" } },
				{ type: "message_stop" },
			],
			"output_limit",
		],
		[
			"stop_reason model_context_window_exceeded",
			"anthropic",
			[
				...anthropicText(TEXT).slice(0, 4),
				{ type: "message_delta", delta: { stop_reason: "model_context_window_exceeded" } },
				{ type: "message_stop" },
			],
			"output_limit",
		],
		[
			"stop_reason refusal",
			"anthropic",
			[
				...anthropicText(TEXT).slice(0, 4),
				{ type: "message_delta", delta: { stop_reason: "refusal" } },
				{ type: "message_stop" },
			],
			"refusal",
		],
		[
			"an answer without text",
			"anthropic",
			[
				{ type: "message_start", message: { id: "m" } },
				{ type: "message_delta", delta: { stop_reason: "end_turn" } },
				{ type: "message_stop" },
			],
			"empty_answer",
		],
	];
	it.each(cases)("%s", async (_name, provider, events, code) => {
		const ending = await ask((response) => writeSse(response, events), provider);
		expect(ending.error?.code).toBe(code);
		expect(ending.exitCode).toBe(1);
	});
});

describe.concurrent("a whole answer where a stream was asked for", () => {
	const wholes: [Provider, object][] = [
		[
			"openai-responses",
			{
				id: "r",
				object: "response",
				status: "completed",
				output: [{ type: "message", content: [{ type: "output_text", text: TEXT }] }],
			},
		],
		[
			"openai-chat",
			{
				id: "c",
				choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
			},
		],
		[
			"anthropic",
			{
				id: "m",
				content: [{ type: "text", text: TEXT }],
				stop_reason: "end_turn",
				usage: { input_tokens: 1, output_tokens: 2 },
			},
		],
	];
	it.each(wholes)("is accepted: %s", async (provider, whole) => {
		const ending = await ask((response) => writeJson(response, 200, whole), provider);
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe(TEXT);
	});

	it("is an error when the whole answer was cut by the limit", async () => {
		const whole = { id: "c", choices: [{ index: 0, message: { content: TEXT }, finish_reason: "length" }] };
		const ending = await ask((response) => writeJson(response, 200, whole), "openai-chat");
		expect(ending.error?.code).toBe("output_limit");
	});
});

describe.concurrent("retries", () => {
	const success: Answer = (response) => writeSse(response, responsesText(TEXT));
	const headers: [string, number, Record<string, string>][] = [
		["429 with seconds", 429, { "retry-after": "0" }],
		["429 with milliseconds", 429, { "retry-after-ms": "20" }],
		["429 with a date", 429, { "retry-after": new Date(0).toUTCString() }],
		["503", 503, {}],
		["529", 529, {}],
		["a 400 that says so", 400, { "x-should-retry": "true" }],
	];
	it.each(headers)("happen after %s", async (_name, status, header) => {
		const ending = await ask([
			(response) => writeJson(response, status, { error: { message: "later" } }, header),
			success,
		]);
		expect(ending.text).toBe(TEXT);
		expect(ending.requests).toBe(2);
	});

	it("happen after a reset before any answer", async () => {
		const ending = await ask([(response) => response.socket?.resetAndDestroy(), success]);
		expect(ending.text).toBe(TEXT);
		expect(ending.requests).toBe(2);
	});

	it("happen after an overload in the stream before any output", async () => {
		const overload = { type: "error", error: { type: "overloaded_error", message: "busy" } };
		const ending = await ask([
			(response) => writeSse(response, [responsesText("")[0] ?? {}, overload]),
			success,
		]);
		expect(ending.text).toBe(TEXT);
		expect(ending.events.filter(({ event }) => event === "response_start")).toHaveLength(1);
	});

	it("happen at most twice", async () => {
		const ending = await ask((response) =>
			writeJson(response, 503, { error: { message: "down" } }, { "retry-after-ms": "1" }),
		);
		expect(ending.requests).toBe(3);
		expect(ending.error).toMatchObject({ code: "http_error", status: 503, retryable: true });
	});

	it.each([
		[401, {}],
		[404, {}],
		[503, { "x-should-retry": "false" }],
	])("do not happen after %i %j", async (status, header) => {
		const ending = await ask((response) => writeJson(response, status, { error: { message: "no" } }, header));
		// After 404 the service is asked once which models it has.
		expect(ending.requests).toBe(status === 404 ? 2 : 1);
		expect(ending.error?.status).toBe(status);
	});

	it("explain a page that came with status 400", async () => {
		const ending = await ask((response) => {
			response.writeHead(400, { "content-type": "text/html" });
			response.end("<html><title>Bad gateway request</title></html>");
		});
		expect(ending.error?.message).toContain("Bad gateway request");
	});
});

describe("redirects", () => {
	it("to another origin are refused, and the key does not go there", async () => {
		const other = await startScriptedServer((response) => writeSse(response, responsesText("stolen")));
		const ending = await ask((response) => response.writeHead(307, { location: `${other.url}/v1/x` }).end());
		expect(ending.error?.code).toBe("redirect_refused");
		expect(other.requests).toHaveLength(0);
		await other.close();
	});

	it("within the origin are followed", async () => {
		const ending = await ask([
			(response) => response.writeHead(307, { location: "/v2/x" }).end(),
			(response) => writeSse(response, responsesText(TEXT)),
		]);
		expect(ending.text).toBe(TEXT);
	});
});

describe("HTTP/1.0", () => {
	it("is read to the close of the connection", async () => {
		const server = createServer((socket) => {
			socket.on("error", () => undefined);
			socket.once("data", () => {
				socket.end(`HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frames["openai-chat"]}`);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const address = server.address() as { port: number };
		const ending = await runProgram({
			...BASE_PAYLOAD,
			provider: "openai-chat",
			url: `http://127.0.0.1:${address.port}/v1`,
		});
		server.close();
		expect(ending.text).toBe(TEXT);
	});
});
