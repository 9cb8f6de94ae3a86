// A host that asks one question and then stays: the test kills it and looks whether its servers end with it.
import { homedir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CONFIG } from "../../src/contract/config.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { createLspTool } from "../../src/tools/lsp/create-lsp-tool.ts";

const { cwd, input } = JSON.parse(process.argv[2]);
const tool = createLspTool({
	config: { ...DEFAULT_CONFIG.lsp, requestTimeoutMs: 20_000 },
	env: process.env,
	mode: "main",
	allowedActions: DEFAULT_CONFIG.subagents.allowedLspActions,
	projectTrusted: true,
	judge: createJudge({ cwd, home: homedir(), agentDirectory: join(homedir(), ".pi", "agent") }),
});
const outcome = await tool.execute(input, { cwd, signal: new AbortController().signal });
process.stdout.write(`${JSON.stringify(outcome)}\n`);
setInterval(() => undefined, 1000);
