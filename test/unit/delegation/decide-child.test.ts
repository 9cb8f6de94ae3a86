import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import { decideChild } from "../../../src/delegation/decide-child.ts";
import { createDelegationContext } from "../../../src/delegation/delegation-context.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

it.each([
	["a child that may write", "readonly: false\ntools: read, write", ["/gate.ts"], 1],
	["no child that only reads", "readonly: true\ntools: read", [], 0],
])("the gates of the user's extensions are for %s", async (_name, fields, extensions, asked) => {
	const agents = join(home.home, "agents");
	home.write(join(agents, "worker.md"), `---\nname: worker\ndescription: Works\n${fields}\n---\nWork.\n`);
	const findGates = vi.fn(async () => ["/gate.ts", "/gate.ts"]);
	const context = createDelegationContext({
		cwd: home.project,
		env: { ...home.env, DEPUTIZE_LOOP_URL: "http://127.0.0.1:9" },
		agentsDirectories: [agents],
		runtime: "loop",
		model: "openai/m",
		config: { ...DEFAULT_CONFIG, subagents: { ...DEFAULT_CONFIG.subagents, allowWrite: true } },
		host: { findGates },
	});
	const { granted } = await decideChild("worker", context);
	expect(granted.extensions).toEqual(extensions);
	expect(findGates).toHaveBeenCalledTimes(asked);
});
