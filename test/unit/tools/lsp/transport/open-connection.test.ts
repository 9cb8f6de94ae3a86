import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import type { Deadline } from "../../../../../packages/ground/waiting/create-deadline.ts";
import {
	createLspDeadline,
	ServerGoneError,
	ServerRefusalError,
} from "../../../../../src/tools/lsp/lsp-error.ts";
import { openConnection } from "../../../../../src/tools/lsp/transport/open-connection.ts";

const frame = (message: object) => {
	const body = JSON.stringify({ jsonrpc: "2.0", ...message });
	return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

const deadlines: Deadline[] = [];
afterEach(() => {
	for (const deadline of deadlines.splice(0)) deadline.end();
});

function open() {
	const stdout = new PassThrough();
	const stdin = new PassThrough();
	const connection = openConnection(stdout, stdin);
	const within = (ms: number, signal = new AbortController().signal) => {
		const deadline = createLspDeadline(ms, signal);
		deadlines.push(deadline);
		return deadline;
	};
	const sent = () => String(stdin.read() ?? "");
	return { stdout, stdin, connection, within, sent };
}

/** Lets the library write and read what is on its way. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("a request to a server", () => {
	it("is answered", async () => {
		const { connection, stdout, within, sent } = open();
		const answer = connection.request("textDocument/hover", { a: 1 }, within(5000));
		await settle();
		expect(sent()).toContain('"method":"textDocument/hover","params":{"a":1}');
		stdout.write(frame({ id: 0, result: { contents: "x" } }));
		expect(await answer).toEqual({ contents: "x" });
	});

	it("without parameters is sent without a params member", async () => {
		const { connection, within, sent } = open();
		connection.request("shutdown", undefined, within(5000)).catch(() => undefined);
		await settle();
		expect(sent()).not.toContain("params");
		connection.close();
	});

	it("that is refused says so, with the server's code", async () => {
		const { connection, stdout, within } = open();
		const answer = connection.request("x", {}, within(5000));
		await settle();
		stdout.write(frame({ id: 0, error: { code: -32801, message: "content modified" } }));
		const error = await answer.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(ServerRefusalError);
		expect(error).toMatchObject({ code: -32801, message: "content modified" });
	});

	it("that takes too long is cancelled at the server, and the answer that comes later is dropped", async () => {
		const { connection, stdout, within, sent } = open();
		const answer = connection.request("x", {}, within(30));
		await expect(answer).rejects.toMatchObject({ code: "LSP_TIMEOUT" });
		await settle();
		expect(sent()).toContain('"method":"$/cancelRequest","params":{"id":0}');
		stdout.write(frame({ id: 0, result: 1 }));
		await settle();
	});

	it("is not sent after the caller gave up", async () => {
		const { connection, within, sent } = open();
		const answer = connection.request("x", {}, within(5000, AbortSignal.abort()));
		await expect(answer).rejects.toMatchObject({ code: "LSP_CANCELLED" });
		await settle();
		expect(sent()).toBe("");
	});

	it.each([
		["garbage", "hello\r\n\r\n", /not the language server protocol: "hello"/],
		["a body that is not JSON", "Content-Length: 3\r\n\r\n{a}", /not the language server protocol: "{a}"/],
	])("fails at once when the server writes %s", async (_name, output, message) => {
		const { connection, stdout, within } = open();
		const answer = connection.request("x", {}, within(5000));
		await settle();
		stdout.write(output);
		await expect(answer).rejects.toThrow(ServerGoneError);
		await expect(connection.broken).resolves.toMatch(message);
		await expect(connection.request("y", {}, within(5000))).rejects.toThrow(message);
	});

	it("fails when the server closes its output", async () => {
		const { connection, stdout, within } = open();
		const answer = connection.request("x", {}, within(5000));
		await settle();
		stdout.destroy();
		await expect(answer).rejects.toThrow("it closed the connection");
	});

	it("is believed only after what the server said before its answer", async () => {
		const { connection, stdout, within } = open();
		const heard: string[] = [];
		connection.onNotification("$/progress", () => heard.push("progress"));
		const answer = connection.request("x", {}, within(5000)).then(() => heard.push("answer"));
		await settle();
		stdout.write(frame({ method: "$/progress", params: {} }) + frame({ id: 0, result: null }));
		await answer;
		expect(heard).toEqual(["progress", "answer"]);
	});
});

describe("what the server asks", () => {
	it("is answered by its handler, and otherwise with method not found", async () => {
		const { connection, stdout, sent } = open();
		connection.onRequest("workspace/workspaceFolders", () => ["here"]);
		stdout.write(frame({ id: "a", method: "workspace/workspaceFolders" }));
		stdout.write(frame({ id: "b", method: "no/such" }));
		await settle();
		const written = sent();
		expect(written).toContain('"id":"a","result":["here"]');
		expect(written).toContain('"code":-32601');
	});
});

describe("a connection whose input is closed", () => {
	it("does not throw when it is told something", async () => {
		const { connection, stdin } = open();
		stdin.destroy(new Error("EPIPE"));
		connection.notify("x", {});
		await connection.send("exit", undefined);
		expect(await connection.broken).toMatch(/EPIPE|closed/);
	});
});
