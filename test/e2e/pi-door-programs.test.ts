import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { startScriptedProvider as startParentModel } from "../helpers/pi-door-provider.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { startScriptedProvider as startChildModel } from "../helpers/scripted-provider.ts";
import type { TestHome } from "../helpers/test-home.ts";

describe.each(["claude", "codex"] as const)("an agent with runtime: %s, called from pi", (name) => {
	const row = RUNTIME_ROWS[name];
	const closing: (() => Promise<void> | void)[] = [];
	let home: PiHome | undefined;

	afterEach(async () => {
		for (const close of closing.splice(0)) await close();
		const left = home ? listProcessesOf(home.root) : [];
		home?.remove();
		home = undefined;
		expect(left).toEqual([]);
	});

	function toTestHome({ home: directory, project, agentDirectory, env }: PiHome): TestHome {
		const write = (path: string, text: string): string => {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
			return path;
		};
		return { home: directory, project, agentDirectory, env: { ...env }, write, remove: () => undefined };
	}

	it("works as any other: it reads, cannot write, and its answer and spending arrive", async () => {
		const parent = await startParentModel(({ turn }) =>
			turn === 0
				? { calls: [{ name: "subagent", arguments: { agent: "outsider", task: "Where is it?" } }] }
				: { text: "Thank you." },
		);
		closing.push(() => parent.close());
		home = createPiHome(parent.baseUrl);
		const at = toTestHome(home);
		at.write(join(home.project, "src.ts"), "export const answer = 42;\n");
		at.write(
			join(home.agentDirectory, "agents", "outsider.md"),
			`---\nname: outsider\nruntime: ${name}\nreadonly: true\ntools: read, grep\n---\nYou look.\n`,
		);
		const child = await startChildModel(
			[
				{ calls: [row.read(at, "src.ts")], usage: { input: 100, output: 10 } },
				{ calls: row.write(at, "written.txt"), usage: { input: 100, output: 10 } },
				{ ...row.handOver({ status: "SUCCESS", result: "In src.ts:1." }), usage: { input: 100, output: 10 } },
			],
			row.api,
		);
		closing.push(() => child.close());
		const { env } = row.configure(at, child);
		const run = await runPiJson(home, "go", { env: env as Record<string, string> });
		const [end] = toolEnds(run);
		expect(end?.result.details["error"]).toBeUndefined();
		expect(end?.result.content[0]?.text).toContain("In src.ts:1.");
		expect(end?.result.details["results"]).toMatchObject([
			{ agent: "outsider", exitCode: 0, confinement: "os-sandbox", usage: { input: 300, output: 30 } },
		]);
		expect(child.requests().at(-1)).toContain("export const answer = 42");
		expect(existsSync(join(home.project, "written.txt"))).toBe(false);
	});
});
