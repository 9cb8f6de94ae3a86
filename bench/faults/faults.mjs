// What goes wrong, and what a good package does about it. `judge` sees the parent's tool result and says what happened.
const PARTIAL = "PARTIAL-FINDINGS";
const SECRET = ["ghp", "Zk3", "vQ9xTb7LmN2pR5sW8yA1cD4eF6gH0jK"].join("_").replace("_Zk3_", "_Zk3");

/** The answer in the way each package expects it: by the handover tool where the child has one, else as text. */
function say(response, text, { body, answer, call }) {
	const names = (body.tools ?? []).map((tool) => tool.function.name);
	if (names.includes("subagent_finalize")) {
		return answer(
			response,
			[call("call_final", "subagent_finalize", { status: "SUCCESS", result: text })],
			"tool_calls",
		);
	}
	return answer(response, [{ content: text }], "stop");
}

const failed = (result) => {
	if (result.isError) return "reported";
	return /fail|error|abort|did not|no output|timed out/i.test(result.text)
		? "told in the text only"
		: "LOST: looks like success";
};

export const FAULTS = [
	{
		name: "no fault (control)",
		child: (response, context) => say(response, "ANSWER-42", context),
		judge: (result) =>
			!result.isError && result.text.includes("ANSWER-42") ? "answered" : "LOST the answer",
	},
	{
		name: "the answer talks about timeouts and rate limits",
		child: (response, context) =>
			say(response, "ANSWER-42: the timeout is wrong, a rate limit error is retried", context),
		judge: (result) => (!result.isError && result.text.includes("ANSWER-42") ? "answered" : "FALSE failure"),
	},
	{
		name: "provider says 401",
		child: (response) => {
			response.writeHead(401, { "content-type": "application/json" });
			response.end('{"error":{"message":"bad key","type":"invalid_request_error"}}');
		},
		judge: failed,
	},
	{
		name: "provider answers with nothing at all",
		child: (response, { answer }) => answer(response, [{ content: "" }], "stop"),
		judge: failed,
	},
	{
		name: "answer cut off by the length limit",
		child: (response, { answer }) => answer(response, [{ content: `${PARTIAL} and then` }], "length"),
		judge: (result) =>
			`${failed(result)}${result.text.includes(PARTIAL) ? ", partial text kept" : ", PARTIAL TEXT LOST"}`,
	},
	{
		name: "one good turn, then 400",
		child: (response, { answer, call, turn }) => {
			if (turn === 1)
				return answer(response, [{ content: PARTIAL }, call("call_ls", "ls", {})], "tool_calls");
			response.writeHead(400, { "content-type": "application/json" });
			return response.end('{"error":{"message":"broken","type":"invalid_request_error"}}');
		},
		judge: (result) =>
			`${failed(result)}${result.text.includes(PARTIAL) ? ", partial text kept" : ", PARTIAL TEXT LOST"}`,
	},
	{
		name: "provider never answers (20 s watched; deputize with idleTimeoutMs 5000)",
		child: () => undefined,
		watchMs: 20_000,
		config: { subagents: { idleTimeoutMs: 5000 } },
		judge: failed,
	},
	{
		name: "a secret in the answer",
		child: (response, context) => say(response, `ANSWER-42 token ${SECRET}`, context),
		judge: (result) => {
			if (result.everything.includes(SECRET)) return "LET OUT";
			return result.text.includes("ANSWER-42") ? "removed, answer kept" : "LOST the answer";
		},
	},
	{
		name: "a readonly agent asks for bash",
		child: (response, context) =>
			context.turn === 1
				? context.answer(
						response,
						[context.call("call_bash", "bash", { command: "echo x > stolen" })],
						"tool_calls",
					)
				: say(response, "ANSWER-42", context),
		judge: (result) => {
			if (result.files.includes("stolen")) return "WROTE A FILE";
			return result.text.includes("ANSWER-42") ? "refused, answer kept" : "refused, LOST the answer";
		},
	},
	{
		name: "parent killed by SIGKILL while the child waits for its model",
		child: () => undefined,
		killParent: true,
		judge: (result) => (result.orphans > 0 ? `LEFT BEHIND: ${result.orphans} process` : "nothing left"),
	},
];
