import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BASE_PAYLOAD, runProgram } from "../helpers/loop-program.ts";
import { chatText, startScriptedServer, writeSse } from "../helpers/loop-server.ts";
import { createTestHome } from "../helpers/test-home.ts";

describe("the web tools of the loop", () => {
	it("are those of this package: refused addresses are told to the model, and never contacted", async () => {
		let isReached = false;
		const secret = await startScriptedServer((response) => {
			isReached = true;
			response.end("internal");
		});
		const urls = [`${secret.url}/admin`, "file:///etc/passwd", "http://169.254.169.254/latest/meta-data/"];
		const model = await startScriptedServer([
			(response) =>
				writeSse(response, [
					{
						id: "c",
						choices: [
							{
								delta: {
									tool_calls: urls.map((url, index) => ({
										index,
										id: `call_${index}`,
										function: { name: "scrape_webpage", arguments: JSON.stringify({ url }) },
									})),
								},
								finish_reason: "tool_calls",
							},
						],
					},
					"[DONE]",
				]),
			(response) => writeSse(response, chatText("refused")),
		]);
		const ending = await runProgram({
			...BASE_PAYLOAD,
			provider: "openai-chat",
			url: model.url,
			tool_subset: ["search_web", "scrape_webpage"],
		});
		await model.close();
		await secret.close();
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("refused");
		expect(isReached).toBe(false);
		const tools = model.requests[0]?.body["tools"] as {
			function: { name: string; parameters: { required: string[] } };
		}[];
		expect(tools.map((tool) => [tool.function.name, tool.function.parameters.required])).toEqual([
			["search_web", ["query"]],
			["scrape_webpage", ["url"]],
		]);
		const results = ending.events.filter(({ event }) => event === "tool_result");
		expect(results).toHaveLength(3);
		for (const { data } of results) expect(data.delta).not.toMatch(/root:|internal\b.*admin/);
		const messages = (model.requests[1]?.body["messages"] ?? []) as { role: string; content: string }[];
		const told = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
		expect(told).toEqual([
			expect.stringContaining("PRIVATE_NETWORK_BLOCKED: 127.0.0.1 was not contacted"),
			expect.stringContaining("CONTENT_FETCH_INVALID_URL"),
			expect.stringContaining("PRIVATE_NETWORK_BLOCKED: 169.254.169.254 was not contacted"),
		]);
	});

	it("read PDF documents, and exec grants an agent's tools by name", async () => {
		const home = createTestHome({
			"data.csv": "name,age\nAda,36\n",
			"src/a.ts": "export const answer = 42;\n",
		});
		const pdf = readFileSync(new URL("../../packages/documents/fixtures/groff-memo.pdf", import.meta.url));
		const site = await startScriptedServer((response) => {
			response.writeHead(200, { "content-type": "application/pdf" });
			response.end(pdf);
		});
		home.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ web: { allowPrivateNetwork: true } }),
		);
		const calls = [
			["scrape_webpage", { url: `${site.url}/memo.pdf` }],
			["convert_content", { path: "data.csv" }],
			["fetch_content", { url: `${site.url}/memo.pdf` }],
			["read", { path: "src/a.ts" }],
			["grep", { pattern: "answer" }],
			["lsp", { action: "servers" }],
		] as const;
		const model = await startScriptedServer([
			(response) =>
				writeSse(response, [
					{
						id: "c",
						choices: [
							{
								delta: {
									tool_calls: calls.map(([name, args], index) => ({
										index,
										id: `call_${index}`,
										function: { name, arguments: JSON.stringify(args) },
									})),
								},
								finish_reason: "tool_calls",
							},
						],
					},
					"[DONE]",
				]),
			(response) => writeSse(response, chatText("done")),
		]);
		const ending = await runProgram(
			{
				...BASE_PAYLOAD,
				provider: "openai-chat",
				url: model.url,
				tool_subset: calls.map(([name]) => name),
			},
			{ cwd: home.project, env: home.env },
		);
		const results = new Map(
			ending.events.filter(({ event }) => event === "tool_result").map(({ data }) => [data.id, data.delta]),
		);
		await model.close();
		await site.close();
		const left = readdirSync(tmpdir()).filter((name) => name.startsWith("deputize-exec-"));
		home.remove();
		expect(ending.error).toBeUndefined();
		expect(ending.text).toBe("done");
		expect(results.get("call_0")).toMatch(/memo/i);
		expect(results.get("call_0")).not.toContain("CONTENT_UNSUPPORTED");
		expect(results.get("call_1")).toContain("| Ada | 36 |");
		expect(results.get("call_2")).toContain("responseId:");
		expect(results.get("call_3")).toBe("export const answer = 42;\n");
		expect(results.get("call_4")).toBe("src/a.ts:1: export const answer = 42;");
		expect(results.get("call_5")).toMatch(/typescript/i);
		expect(left).toEqual([]);
	});
});
