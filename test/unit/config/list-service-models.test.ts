import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listServiceModels } from "../../../src/config/list-service-models.ts";

const BODIES: Readonly<Record<string, string>> = {
	"/openai/models": '{"data":[{"id":"qwen3:8b"},{"id":"nomic-embed-text"},{"id":"a/b"}]}',
	"/ollama/models": '{"models":[{"name":"qwen3:8b"}]}',
	"/odd/models": JSON.stringify({ data: ["a\nb", "\u001b[2Jc", "d".repeat(201), "e"].map((id) => ({ id })) }),
	"/page/models": "<html></html>",
};
const seen: (string | undefined)[] = [];
const server = createServer(({ url = "", headers }, response) => {
	seen.push(headers.authorization ?? String(headers["x-api-key"] ?? ""));
	if (url === "/moved/models") return response.writeHead(302, { location: "/openai/models" }).end();
	return response.writeHead(url in BODIES ? 200 : 404).end(BODIES[url]);
});
let base = "";
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("the models of a service", () => {
	const list = (path: string, key = "") =>
		listServiceModels({ provider: "openai-chat", url: `${base}${path}/chat/completions` }, key, 5000);

	it("are those that can answer, in either form of a list", async () => {
		expect(await list("/openai", "k")).toEqual(["qwen3:8b", "a/b"]);
		expect(seen.at(-1)).toBe("Bearer k");
		expect(await list("/ollama")).toEqual(["qwen3:8b"]);
		expect(seen.at(-1)).toBe("");
	});

	it("have names that can be shown", async () => {
		expect(await list("/odd")).toEqual(["e"]);
	});

	it("are not waited for longer than was said", async () => {
		const silent = createServer(() => undefined);
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/chat/completions`;
		expect(await listServiceModels({ provider: "openai-chat", url }, "", 50)).toEqual({
			problem: expect.stringMatching(/does not answer/),
		});
		silent.closeAllConnections();
		silent.close();
	});

	it.each([
		["/page", /is not a list of models/],
		["/missing", /answered 404/],
		["/moved", /does not answer/],
	])("are not guessed: %s", async (path, problem) => {
		expect(await list(path)).toEqual({ problem: expect.stringMatching(problem) });
	});
});
