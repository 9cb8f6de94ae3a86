import { describe, expect, it } from "vitest";
import { BASE_PAYLOAD, runProgram } from "../helpers/loop-program.ts";
import { chatText, startScriptedServer, writeSse } from "../helpers/loop-server.ts";

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
	});
});
