// An OpenAI-compatible server on loopback. The parent's requests get its script; the child's get the fault.
import { createServer } from "node:http";

export const PARENT_MARK = "PARENT-PROMPT";

export async function startFaultyProvider({ tool, args, fault }) {
	const state = { childRequests: 0, parentRequests: 0, openChildRequests: 0 };
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
		const firstUser = JSON.stringify(body.messages.find((message) => message.role === "user")?.content ?? "");
		if (firstUser.includes(PARENT_MARK)) {
			state.parentRequests += 1;
			const delegated = body.messages.some((message) => message.role === "tool");
			if (delegated) return answer(response, [{ content: "PARENT-DONE" }], "stop");
			return answer(response, [call("call_parent", tool, args)], "tool_calls");
		}
		state.childRequests += 1;
		state.openChildRequests += 1;
		response.on("close", () => {
			state.openChildRequests -= 1;
		});
		return fault.child(response, { body, turn: state.childRequests, answer, call });
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		state,
		baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
		close: () => {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(resolve));
		},
	};
}

function call(id, name, args) {
	return {
		tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
	};
}

/** Streams the deltas and ends well, unless `end` says otherwise. */
function answer(response, deltas, finish, { end = true } = {}) {
	response.writeHead(200, { "content-type": "text/event-stream" });
	const send = (choice) =>
		response.write(
			`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "model", choices: [{ index: 0, ...choice }] })}\n\n`,
		);
	for (const delta of deltas) send({ delta: { role: "assistant", ...delta }, finish_reason: null });
	if (!end) return;
	send({ delta: {}, finish_reason: finish });
	response.write(
		`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "model", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`,
	);
	response.end("data: [DONE]\n\n");
}
