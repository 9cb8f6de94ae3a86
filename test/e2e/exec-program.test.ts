import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BASE_PAYLOAD, LOOP_PROGRAM, runProgram, startProgram } from "../helpers/loop-program.ts";
import {
	type Answer,
	anthropicText,
	chatText,
	responsesText,
	startScriptedServer,
	writeJson,
	writeSse,
} from "../helpers/loop-server.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const END_OF_OUTPUT = 'event: response_end\ndata: {"id":"","delta":"","type":"response_end"}\n\n';

/** What a failure before any answer leaves on stdout: the reason, then the end. */
function expectOnlyFailure(ending: {
	readonly stdout: string;
	readonly error?: { code: string; message: string } | undefined;
}): void {
	const { code, message } = ending.error ?? { code: "", message: "" };
	expect(ending.stdout.endsWith(END_OF_OUTPUT)).toBe(true);
	const [first] = ending.stdout.split("\n\n");
	expect(first?.split("\n")[0]).toBe("event: error");
	expect(JSON.parse(first?.split("\n")[1]?.slice("data: ".length) ?? "")).toEqual({
		id: "",
		delta: message,
		type: "error",
		code,
	});
}
const text: Answer = (response) => writeSse(response, responsesText("hello"));

async function ask(
	answers: Answer | Answer[],
	fields: object = {},
	options: Parameters<typeof runProgram>[1] = {},
) {
	const server = await startScriptedServer(answers);
	const ending = await runProgram({ ...BASE_PAYLOAD, url: `${server.url}/v1/responses`, ...fields }, options);
	await server.close();
	return { ...ending, requests: server.requests };
}

/** Resolves when the server has seen a connection go away. */
function nextClose(server: Awaited<ReturnType<typeof startScriptedServer>>): Promise<void> {
	return new Promise((resolve) => {
		const check = (): void => {
			if (server.sockets.size === 0) resolve();
			else setTimeout(check, 20);
		};
		check();
	});
}

describe("the payload", () => {
	const wrong: [string, unknown, string][] = [
		["nothing", "", "stdin was empty"],
		["no JSON", "{", "JSON"],
		["a list", "[]", "JSON object"],
		["no provider", { prompt: "x" }, '"provider"'],
		["an unknown provider", { ...BASE_PAYLOAD, provider: "gemini" }, '"provider"'],
		["no model", { ...BASE_PAYLOAD, model: "" }, '"model"'],
		["a relative url", { ...BASE_PAYLOAD, url: "/v1" }, '"url"'],
		["a file url", { ...BASE_PAYLOAD, url: "file:///etc/passwd" }, '"url"'],
		["a password in the url", { ...BASE_PAYLOAD, url: "https://me:secret@x/" }, '"url"'],
		["a key instead of its name", { ...BASE_PAYLOAD, api_key_name: "sk-abc/def" }, '"api_key_name"'],
		["an empty prompt", { ...BASE_PAYLOAD, prompt: "  " }, '"prompt"'],
		["a system prompt that is a number", { ...BASE_PAYLOAD, system_prompt: 1 }, '"system_prompt"'],
		["tools that are a string", { ...BASE_PAYLOAD, tool_subset: "bash_read" }, '"tool_subset"'],
		[
			"unknown tools",
			{ ...BASE_PAYLOAD, tool_subset: ["zed", "call_subagent", "bash_read"] },
			"Unknown tool names: call_subagent, zed",
		],
		["think as text", { ...BASE_PAYLOAD, think: "yes" }, '"think"'],
		["a temperature of 3", { ...BASE_PAYLOAD, temperature: 3 }, '"temperature"'],
		["no tokens", { ...BASE_PAYLOAD, max_tokens: 0 }, '"max_tokens"'],
		["half a turn", { ...BASE_PAYLOAD, max_turns: 0.5 }, '"max_turns"'],
		["an unknown mode", { ...BASE_PAYLOAD, output_mode: "xml" }, '"output_mode"'],
		["a mode without a schema", { ...BASE_PAYLOAD, output_mode: "json_schema" }, '"output_schema"'],
		["a schema without a mode", { ...BASE_PAYLOAD, output_schema: {} }, '"output_schema"'],
		[
			"a name with a space",
			{ ...BASE_PAYLOAD, output_mode: "json_object", output_name: "a b" },
			'"output_name"',
		],
	];
	it.concurrent.each(wrong)("is refused with the name of the field: %s", async (_name, payload, expected) => {
		const ending = await runProgram(payload);
		expect(ending.exitCode).toBe(2);
		expect(ending.error?.code).toBe("invalid_payload");
		expect(ending.error?.message).toContain(expected);
		expect(ending.error?.message).not.toContain("sk-abc");
		expectOnlyFailure(ending);
	});

	it("may have further fields, which are named on stderr", async () => {
		const server = await startScriptedServer((response) => writeSse(response, responsesText("Found.")));
		const ending = await runProgram({ ...BASE_PAYLOAD, url: server.url, request_id: "7" });
		await server.close();
		expect(ending.exitCode).toBe(0);
		expect(ending.text).toBe("Found.");
		expect(JSON.parse(ending.stderr)).toEqual({
			notice: '"request_id" is not a field of the payload and was ignored.',
		});
	});

	it("may have null for every optional field", async () => {
		const nulls = {
			api_key_name: null,
			system_prompt: null,
			tool_subset: null,
			think: null,
			temperature: null,
			max_tokens: null,
			output_mode: null,
			output_schema: null,
		};
		const ending = await ask(text, nulls);
		expect(ending.text).toBe("hello");
		expect(ending.requests[0]?.body).toMatchObject({ temperature: 0.8, reasoning: { effort: "none" } });
		expect(ending.requests[0]?.body["max_output_tokens"]).toBeUndefined();
		expect(ending.requests[0]?.headers.authorization).toBeUndefined();
	});

	it.each([
		["an option it does not know", ["--fast"], "there is no option --fast"],
		["a word", ["extra"], '"extra" is not an option, and everything else is read as JSON from stdin'],
		["a limit no timer can wait for", ["--timeout-ms", "2147483648"], "from 1 to 2147483647, not 2147483648"],
		["a limit without a number", ["--idle-timeout-ms"], "--idle-timeout-ms takes a whole number"],
	])("refuses %s, and ends its output all the same", async (_name, args, message) => {
		const ending = await runProgram(BASE_PAYLOAD, { args });
		expect(ending.exitCode).toBe(2);
		expect(ending.error).toMatchObject({ code: "invalid_option" });
		expect(ending.error?.message).toContain(message);
		expectOnlyFailure(ending);
		expect((await runProgram(BASE_PAYLOAD, { args: [...args, "--plain"] })).stdout).not.toContain("event:");
	});

	it("does not offer the field of its own runtime", async () => {
		const server = await startScriptedServer((response) => writeSse(response, responsesText("Found.")));
		const ending = await runProgram({ ...BASE_PAYLOAD, url: server.url, childs: {} });
		await server.close();
		expect(JSON.parse(ending.stderr)).toEqual({
			notice: '"childs" is not a field of the payload and was ignored.',
		});
	});
});

describe("the address and the key", () => {
	it("posts to the url as it is, with the key from the named variable", async () => {
		const { requests } = await ask(text);
		expect(requests[0]).toMatchObject({ method: "POST", path: "/v1/responses" });
		expect(requests[0]?.headers.authorization).toBe("Bearer test-key-0123456789");
	});

	it("never repeats the key, even when the server does", async () => {
		const ending = await ask((response, request) =>
			writeJson(response, 401, {
				error: { message: `Incorrect API key provided: ${request.headers.authorization}` },
			}),
		);
		expect(ending.exitCode).toBe(1);
		expect(ending.stderr).toContain("[REDACTED]");
		expect(ending.stderr + ending.stdout).not.toContain("test-key-0123456789");
	});

	it.each([
		["a refusal", 401],
		["an error in place of an answer", 200],
	])("repeats nobody else's key either: %s", async (_name, status) => {
		const other = `sk-proj-${randomBytes(24).toString("hex")}`;
		for (const message of [`bad key ${other}`, `${"word ".repeat(115)}${other}`]) {
			const ending = await ask((response) => writeJson(response, status, { error: { message } }));
			expect(ending.exitCode).toBe(1);
			expect(ending.stderr + ending.stdout).not.toContain(other.slice(0, 16));
		}
	});

	it("repeats no key to the runtime that started it", async () => {
		const other = `sk-proj-${randomBytes(24).toString("hex")}`;
		const ending = await ask(
			(response) => writeJson(response, 401, { error: { message: `bad key ${other}` } }),
			{ child: { agent: "explorer", finalize: { mode: "text", max_corrections: 0 } } },
		);
		expect(ending.events.find(({ event }) => event === "child_event")).toBeDefined();
		expect(ending.stdout).toContain("The provider answered 401: bad key [REDACTED]");
		expect(ending.stderr + ending.stdout).not.toContain(other);
	});

	it("says where nothing answers, and what to do", async () => {
		const server = await startScriptedServer(text);
		await server.close();
		const ending = await runProgram({ ...BASE_PAYLOAD, url: `${server.url}/v1/responses` });
		expect(ending.error).toEqual({
			code: "connection_failed",
			message: `Nothing accepts connections at ${new URL(server.url).host} (ECONNREFUSED). Check the address, and that the server is running.`,
			retryable: true,
		});
	});

	it("says who broke off an answer", async () => {
		const ending = await ask((response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"type":"response.output_text.delta","delta":"Par"}\n\n', () =>
				response.destroy(),
			);
		});
		expect(ending.error?.message).toMatch(
			/^The provider's answer was cut off: 127\.0\.0\.1:\d+ closed the connection before the answer was complete\.$/,
		);
	});

	it("sends nothing when the variable of the key is not set", async () => {
		const ending = await ask(text, { api_key_name: "UNSET_KEY" });
		expect(ending.error).toMatchObject({ code: "missing_key" });
		expect(ending.error?.message).toContain("UNSET_KEY, which should contain the API key, is not set");
		expect(ending.exitCode).toBe(2);
		expect(ending.requests).toHaveLength(0);
	});

	it("takes a Vertex token from the named variable, else from gcloud", async () => {
		const answer: Answer = (response) => writeSse(response, anthropicText("hi"));
		const named = await ask(answer, { provider: "vertexai-anthropic" });
		expect(named.requests[0]?.headers.authorization).toBe("Bearer test-key-0123456789");
		const directory = mkdtempSync(join(tmpdir(), "deputize-gcloud-"));
		writeFileSync(
			join(directory, "gcloud"),
			'#!/bin/sh\n[ "$*" = "auth print-access-token" ] && echo ya29.token-from-gcloud\n',
		);
		chmodSync(join(directory, "gcloud"), 0o755);
		const fields = { provider: "vertexai-anthropic", api_key_name: null };
		const found = await ask(answer, fields, { env: { PATH: `${directory}:/usr/bin:/bin` } });
		expect(found.requests[0]?.headers.authorization).toBe("Bearer ya29.token-from-gcloud");
		writeFileSync(
			join(directory, "gcloud"),
			"#!/bin/sh\necho 'You do not currently have an active account' >&2\nexit 1\n",
		);
		const failed = await ask(answer, fields, { env: { PATH: `${directory}:/usr/bin:/bin` } });
		expect(failed.error?.code).toBe("no_credentials");
		expect(failed.requests).toHaveLength(0);
		rmSync(directory, { recursive: true, force: true });
	});
});

describe("the loop", () => {
	const call = (id: string, name: string, args: string) => ({
		index: 0,
		id,
		type: "function",
		function: { name, arguments: args },
	});
	const callTurn =
		(...calls: object[]): Answer =>
		(response) =>
			writeSse(response, [
				{
					id: "c",
					choices: [
						{
							delta: { tool_calls: calls.map((entry, index) => ({ ...entry, index })) },
							finish_reason: null,
						},
					],
				},
				{ id: "c", choices: [{ delta: {}, finish_reason: "tool_calls" }] },
				"[DONE]",
			]);
	const done: Answer = (response) => writeSse(response, chatText("done"));
	const fields = { provider: "openai-chat", tool_subset: ["bash_read"] };

	it("answers unknown tools and bad arguments to the model instead of ending", async () => {
		const ending = await ask(
			[
				callTurn(
					call("a", "rm_rf", "{}"),
					call("b", "bash_read", '{"filepath":'),
					call("c", "bash_read", '{"path":"x"}'),
					call("d", "bash_read", "[1]"),
				),
				done,
			],
			fields,
		);
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("done");
		const messages = ending.requests[1]?.body["messages"] as {
			role: string;
			content: string;
			tool_call_id: string;
			tool_calls: { function: { arguments: string } }[];
		}[];
		const results = messages.filter(({ role }) => role === "tool");
		expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b", "c", "d"]);
		expect(results[0]?.content).toMatch(/no tool named "rm_rf".*bash_read/);
		expect(results[1]?.content).toMatch(/not a JSON object/);
		expect(results[2]?.content).toMatch(/Unknown field \\"path\\"/);
		expect(messages.find(({ role }) => role === "assistant")?.tool_calls[1]?.function.arguments).toBe("{}");
	});

	it("never runs a call of an answer that was cut", async () => {
		const ending = await ask(
			(response) =>
				writeSse(response, [
					{
						id: "c",
						choices: [
							{ delta: { tool_calls: [call("a", "bash_read", '{"filepath":"x"}')] }, finish_reason: null },
						],
					},
					{ id: "c", choices: [{ delta: {}, finish_reason: "length" }] },
				]),
			fields,
		);
		expect(ending.error?.code).toBe("output_limit");
		expect(ending.events.some(({ event }) => event === "tool_result")).toBe(false);
		expect(ending.requests).toHaveLength(1);
	});

	it("ends after max_turns and says so", async () => {
		const ending = await ask(callTurn(call("a", "bash_read", '{"filepath":"none"}')), {
			...fields,
			max_turns: 3,
		});
		expect(ending.exitCode).toBe(1);
		expect(ending.error).toMatchObject({ code: "max_turns" });
		expect(ending.error?.message).toContain("3 turns");
		expect(ending.requests).toHaveLength(3);
	});

	it("ends after 25 turns when nothing else is said", async () => {
		const ending = await ask(callTurn(call("a", "bash_read", '{"filepath":"none"}')), fields);
		expect(ending.requests).toHaveLength(25);
	});

	it("uses one connection for all turns", async () => {
		const seen = new Set<unknown>();
		const remember =
			(answer: Answer): Answer =>
			(response, request, index) => {
				seen.add(response.socket);
				answer(response, request, index);
			};
		const ending = await ask([remember(callTurn(call("a", "bash_read", "{}"))), remember(done)], fields);
		expect(ending.text).toBe("done");
		expect(seen.size).toBe(1);
	});

	it("changes max_tokens to its new name when the server asks for that", async () => {
		const ending = await ask(
			(response, request) => {
				if (request.body["max_tokens"] !== undefined) {
					return writeJson(response, 400, {
						error: {
							message:
								"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
							type: "invalid_request_error",
							param: "max_tokens",
							code: "unsupported_parameter",
						},
					});
				}
				writeSse(response, chatText("ok"));
			},
			{ provider: "openai-chat" },
		);
		expect(ending.text).toBe("ok");
		expect(ending.requests[1]?.body["max_completion_tokens"]).toBe(8192);
	});

	it("says on stderr what it changed, when asked to", async () => {
		const ending = await ask(
			(response, request) => {
				if (request.body["temperature"] === undefined) return writeSse(response, responsesText("ok"));
				writeJson(response, 400, {
					error: {
						message: "Unsupported parameter: 'temperature' is not supported with this model.",
						param: "temperature",
					},
				});
			},
			{},
			{ args: ["--verbose"] },
		);
		expect(ending.exitCode).toBe(0);
		expect(ending.stderr).toContain("temperature");
	});
});

describe("plain output", () => {
	it("is the text as it comes, and then the marker", async () => {
		const ending = await ask(
			(response) => writeSse(response, responsesText("Zoë 終")),
			{},
			{ args: ["--plain"] },
		);
		expect(ending.stdout).toBe("Zoë 終\n\n=== [ DONE ] ===\n");
	});

	it("has no marker when the run failed", async () => {
		const ending = await ask(
			(response) => writeSse(response, responsesText("half").slice(0, 2)),
			{},
			{ args: ["--plain"] },
		);
		expect(ending.exitCode).toBe(1);
		expect(ending.stdout).toBe("half");
	});
});

describe("the end of the process", () => {
	const hang: Answer = (response) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const event of responsesText("part").slice(0, 2))
			response.write(`data: ${JSON.stringify(event)}\n\n`);
	};

	it.each([
		["SIGTERM", 143],
		["SIGINT", 130],
	] as const)("%s aborts the request and is an error", async (signal, exitCode) => {
		const server = await startScriptedServer(hang);
		const program = startProgram({ ...BASE_PAYLOAD, url: server.url });
		await once(program.child.stdout ?? process.stdin, "data");
		program.child.kill(signal);
		const ending = await program.ended;
		expect(ending.exitCode).toBe(exitCode);
		expect(ending.error?.code).toBe("aborted");
		expect(ending.text).toBe("part");
		expect(ending.events.at(-1)?.event).toBe("response_end");
		await nextClose(server);
		await server.close();
	});

	it("SIGTERM also ends a wait before a retry", async () => {
		const server = await startScriptedServer((response) =>
			writeJson(response, 429, {}, { "retry-after": "60" }),
		);
		const program = startProgram({ ...BASE_PAYLOAD, url: server.url });
		while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		program.child.kill("SIGTERM");
		expect((await program.ended).exitCode).toBe(143);
		await server.close();
	});

	it("comes when nobody reads its output any more", async () => {
		const server = await startScriptedServer((response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			const timer = setInterval(
				() =>
					response.write(`data: ${JSON.stringify({ type: "response.output_text.delta", delta: "x" })}\n\n`),
				20,
			);
			response.on("close", () => clearInterval(timer));
		});
		const program = startProgram({ ...BASE_PAYLOAD, url: server.url });
		await once(program.child.stdout ?? process.stdin, "data");
		program.child.stdout?.destroy();
		await once(program.child, "exit");
		await nextClose(server);
		await server.close();
	});

	it("comes when its parent was killed", async () => {
		const server = await startScriptedServer(hang);
		const script = `
			const { spawn } = require("node:child_process");
			const child = spawn(process.execPath, [${JSON.stringify(LOOP_PROGRAM)}], { stdio: ["pipe", "ignore", "ignore"] });
			child.stdin.end(${JSON.stringify(JSON.stringify({ ...BASE_PAYLOAD, url: server.url }))});
			console.log(child.pid);
			setInterval(() => undefined, 1000);
		`;
		const parent = spawn(process.execPath, ["-e", script], {
			env: { ...process.env, TEST_KEY: "test-key-0123456789" },
			stdio: ["ignore", "pipe", "ignore"],
		});
		const [line] = (await once(parent.stdout, "data")) as [Buffer];
		const pid = Number(line.toString("utf8"));
		while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		parent.kill("SIGKILL");
		await nextClose(server);
		while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
		await server.close();
	});
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

describe("payloads in turn", () => {
	const child = { agent: "explorer", finalize: { mode: "text", max_corrections: 0 } };
	const ask = (prompt: string) => ({
		provider: "offline",
		model: "navigator",
		prompt,
		tool_subset: ["bash_ripgrep"],
		child,
	});

	it("are answered one after the other until the input ends", async () => {
		const { child: program, ended } = startProgram(
			[ask("Where is this?"), ask("Where is that?")].map((payload) => JSON.stringify(payload)).join("\n"),
			{ args: ["--in-turn"], cwd: join(import.meta.dirname, "../fixtures/batch") },
		);
		const { exitCode, events } = await ended;
		expect(program.exitCode).toBe(0);
		expect(exitCode).toBe(0);
		expect(events.filter(({ event }) => event === "response_end")).toHaveLength(2);
	});

	it("are none for a model, which gets a process for each", async () => {
		const { ended } = startProgram({ ...BASE_PAYLOAD, url: "http://127.0.0.1:9" }, { args: ["--in-turn"] });
		const { exitCode, error } = await ended;
		expect(exitCode).toBe(2);
		expect(error).toMatchObject({ code: "invalid_payload" });
	});
});

describe("deputize exec", () => {
	it("is the same program", async () => {
		const server = await startScriptedServer(text);
		const child = spawn(process.execPath, [CLI, "exec", "--plain"], {
			env: { ...process.env, TEST_KEY: "test-key-0123456789" },
			stdio: ["pipe", "pipe", "inherit"],
		});
		child.stdin.end(JSON.stringify({ ...BASE_PAYLOAD, url: server.url }));
		const chunks: Buffer[] = [];
		child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
		const [exitCode] = await once(child, "close");
		await server.close();
		expect(exitCode).toBe(0);
		expect(Buffer.concat(chunks).toString("utf8")).toBe("hello\n\n=== [ DONE ] ===\n");
	});

	it("explains itself", async () => {
		const child = spawn(process.execPath, [CLI, "exec", "--help"], { stdio: ["ignore", "pipe", "inherit"] });
		const [chunk] = (await once(child.stdout, "data")) as [Buffer];
		expect(chunk.toString("utf8")).toContain("--idle-timeout-ms");
	});
});
