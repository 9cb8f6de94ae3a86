// A program with a model of its own asks a subagent, without pi. The "model" here is twenty lines on loopback, so that
// the example runs anywhere; put the endpoint and the name of the key's variable of a real one in `context`.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { callSubagent } from "deputize";

const model = createServer(async (request, response) => {
	let text = "";
	for await (const chunk of request) text += chunk;
	const { messages } = JSON.parse(text);
	const result = messages.find((message) => message.role === "tool");
	const delta = result
		? { content: `The package is called ${/\\?"name\\?": \\?"(\w+)/.exec(result.content)?.[1]}.` }
		: {
				tool_calls: [
					{
						index: 0,
						id: "call_1",
						function: { name: "bash_read", arguments: '{"filepath":"package.json"}' },
					},
				],
			};
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`data: ${JSON.stringify({ id: "c", choices: [{ delta, finish_reason: null }] })}\n\n`);
	const finish = result ? "stop" : "tool_calls";
	response.end(
		`data: ${JSON.stringify({ id: "c", choices: [{ delta: {}, finish_reason: finish }] })}\n\ndata: [DONE]\n\n`,
	);
});
await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));

const context = {
	provider: "openai-chat",
	model: "tiny",
	url: `http://127.0.0.1:${model.address().port}/v1/chat/completions`,
	cwd: fileURLToPath(new URL("..", import.meta.url)),
};
const answer = await callSubagent(
	{ prompt: "What is this package called?", toolSubset: ["bash_read"] },
	context,
);
assert.equal(answer, "The package is called deputize.");
console.log(answer);

// What is wrong is said before anything is started, as text that begins with "Error: ".
const refused = await callSubagent({ prompt: "x", toolSubset: ["rm", "bash_read"] }, context);
assert.equal(refused, "Error: Unknown tool names: rm");
console.log(refused);
model.close();
