import { runInThisContext } from "node:vm";
import { describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { compileAgents } from "../../../scripts/compile-agents.mjs";
import type { AgentDirectory } from "../../../src/agents/read-agent-directory.ts";
import { readBuiltinAgents } from "../../../src/agents/read-builtin-agents.ts";
import { locatePackageFile } from "../../../src/entry-points.ts";

type Compiled = (locate: typeof locatePackageFile) => AgentDirectory;

const evaluate = (expression: string) =>
	(runInThisContext(`(locatePackageFile) => (${expression})`) as Compiled)(locatePackageFile);

describe("compileAgents", () => {
	it("says of the built-in agents what reading their files says", () => {
		const read = readBuiltinAgents();
		expect(read.agents.map(({ name }) => name)).toContain("explorer");
		expect(evaluate(compileAgents(read))).toEqual(read);
	});

	it("keeps quotes, backslashes and line ends of an agent as they are", () => {
		const [agent] = readBuiltinAgents().agents;
		const odd = { agents: [{ ...agent!, prompt: "`$&` \\n ${x} 'a' \"b\"\n\u2028" }], skipped: [] };
		expect(evaluate(compileAgents(odd))).toEqual(odd);
	});

	it("does not build a package with a file that is no agent", () => {
		const skipped = [
			{ file: "agents/x.md", source: "builtin" as const, reason: "the first line must be ---" },
		];
		expect(() => compileAgents({ agents: [], skipped })).toThrow(
			"agents/x.md is not an agent: the first line must be ---",
		);
	});
});
