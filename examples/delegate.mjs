// Delegates one task from a program, shows progress, and uses the answer.
// Runs without credentials: the embedded navigator answers. `node examples/delegate.mjs`
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delegate } from "deputize";

const project = fileURLToPath(new URL("..", import.meta.url));

const result = await delegate(
	{ agent: "explorer", task: "Where is filterToolsForReadonly defined?" },
	{
		cwd: project,
		offline: true,
		onUpdate(update) {
			const tool = update.details.streaming?.currentTool;
			if (tool) console.error(`… ${tool.name}`);
		},
	},
);

assert.equal(result.isError, false, result.content[0].text);
const [run] = result.details.results;
assert.match(run.output, /src\/delegation\/filter-tools\.ts:\d+/);
console.log(run.output.split("\n")[0]);
console.log(
	`${run.usage.turns} turns, ${run.confinement}, continue with session ${result.details.sessionId}`,
);
