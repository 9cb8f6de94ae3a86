// The program behind `deputize exec`, driven from any language: JSON in, server-sent events out.
// `offline` needs no model and no network: a navigator searches with the same tools.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const program = spawn(process.execPath, [fileURLToPath(new URL("dist/cli.js", root)), "exec"], {
	cwd: fileURLToPath(root),
	stdio: ["pipe", "pipe", "inherit"],
});
program.stdin.end(
	JSON.stringify({
		provider: "offline",
		model: "navigator",
		prompt: "Where is createSseParser defined?",
		tool_subset: ["bash_find", "bash_ripgrep", "bash_read"],
	}),
);

let stdout = "";
for await (const chunk of program.stdout) stdout += chunk;
const events = stdout
	.trim()
	.split("\n\n")
	.map((event) => JSON.parse(event.split("\ndata: ")[1]));
const answer = events
	.filter((event) => event.type === "output_text")
	.map((event) => event.delta)
	.join("");

assert.match(answer, /src\/loop\/http\/parse-sse\.ts:\d+/);
assert.equal(events.at(-1).type, "response_end");
console.log(answer.split("\n")[0]);
console.log(`${events.filter((event) => event.type === "tool_result").length} tool calls`);
