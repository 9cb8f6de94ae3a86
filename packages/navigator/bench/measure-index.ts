// One question over a large tree, without a cache, with a warm one, and after one file changed: wall and CPU time, memory.
// Each in a process of its own, as a child is. node packages/navigator/bench/measure-index.ts TREE ["question"]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createSearchCodeTool } from "../../../src/navigator/create-search-code-tool.ts";

const [, , tree = ".", question = "Where is a request sent again after it failed?", child] = process.argv;
const cwd = resolve(tree);

if (child !== undefined) {
	const started = performance.now();
	const judge = createJudge({ cwd, home: "/nonexistent", agentDirectory: "/nonexistent/agent" });
	const tool = createSearchCodeTool({
		cwd,
		judge,
		...(child === "none" ? {} : { agentDirectory: child }),
	});
	const { text } = await tool.execute({ query: question }, { cwd, signal: new AbortController().signal });
	const { user, system } = process.cpuUsage();
	console.log(
		`wall ${Math.round(performance.now() - started)} ms, CPU with start ${Math.round((user + system) / 1000)} ms, most memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB; first ${text.split(":", 1)[0]}`,
	);
} else {
	const cache = mkdtempSync(join(tmpdir(), "measure-index-"));
	const run = (title: string, directory: string): void => {
		const ran = spawnSync(process.execPath, [import.meta.filename, cwd, question, directory], {
			encoding: "utf8",
		});
		process.stdout.write(`${title}: ${ran.stdout}${ran.stderr}`);
	};
	for (let round = 0; round < 3; round += 1) run("no cache", "none");
	run("cache is written", cache);
	for (let round = 0; round < 5; round += 1) run("warm cache", cache);
	rmSync(cache, { recursive: true, force: true });
}
