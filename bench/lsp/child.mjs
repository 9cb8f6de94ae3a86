// A child of a run: asks one definition, through the parent's socket when it is given one, and prints how long it took.
import { homedir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CONFIG } from "../../src/contract/config.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { createLspTool } from "../../src/tools/lsp/create-lsp-tool.ts";

const { cwd, input, socketPath, token } = JSON.parse(process.argv[2]);
const tool = createLspTool({
	config: { ...DEFAULT_CONFIG.lsp, requestTimeoutMs: 30_000 },
	env: process.env,
	mode: "child",
	allowedActions: DEFAULT_CONFIG.subagents.allowedLspActions,
	projectTrusted: true,
	judge: createJudge({ cwd: cwd, home: homedir(), agentDirectory: join(homedir(), ".pi", "agent") }),
	...(socketPath === undefined ? {} : { socketPath, socketToken: token }),
});
const started = performance.now();
const outcome = await tool.execute(input, { cwd, signal: new AbortController().signal });
const tookMs = performance.now() - started;
await tool.close();
console.log(JSON.stringify({ tookMs, isError: outcome.isError, total: outcome.details.total }));
