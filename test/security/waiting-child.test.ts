import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listChildrenOf, waitForChild } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";

// A child that waits was made under rules that may have changed when its task comes.

let home: PiHome | undefined;
const providers: ScriptedProvider[] = [];
afterEach(async () => {
	await Promise.all(providers.splice(0).map((provider) => provider.close()));
	home?.remove();
	home = undefined;
});

const AGENT = "home/.pi/agent/agents/mine.md";
const SKILL = "home/.pi/agent/skills/style/SKILL.md";
const CONFIG = "home/.pi/agent/deputize.json";
const describeAgent = (tools: string): string =>
	`---\nname: mine\ndescription: d\ntools: ${tools}\nskills: style\n---\nYou look.\n`;
const describeSkill = (text: string): string => `---\ndescription: ${text}\n---\nWrite well.\n`;

/** Another content of the same length, in the same file, with the time it had. */
function forge(file: string, change: (text: string) => string): void {
	const { atime, mtime } = statSync(file);
	const text = readFileSync(file, "utf8");
	const changed = change(text);
	expect(changed).not.toBe(text);
	expect(changed).toHaveLength(text.length);
	writeFileSync(file, changed);
	utimesSync(file, atime, mtime);
}

interface Change {
	apply(place: PiHome, other: ScriptedProvider): void;
	/** Of the child's second run: what its model was told, and whether that was the other provider. */
	check(told: { readonly text: string; readonly tools: readonly string[]; readonly isOther: boolean }): void;
}

const CHANGES: Readonly<Record<string, Change>> = {
	"the tools of its agent": {
		apply: (place) => void place.write(AGENT, describeAgent("ls")),
		check: ({ tools }) => expect(tools).not.toContain("read"),
	},
	"its skill": {
		apply: (place) => void place.write(SKILL, describeSkill("SECOND-WORDS")),
		check: ({ text }) => {
			expect(text).toContain("SECOND-WORDS");
			expect(text).not.toContain("FIRST-WORDS");
		},
	},
	"what it may read": {
		apply: (place) =>
			void place.write(
				CONFIG,
				JSON.stringify({ subagents: { unreadable: [join(place.project, "private")] } }),
			),
		check: ({ text }) => {
			expect(text).toContain("FILE_CLOSED");
			expect(text).not.toContain("PRIVATE-WORDS");
		},
	},
	"its login, in a file of the same length and time": {
		apply: (place, other) =>
			forge(join(place.agentDirectory, "models.json"), (text) =>
				text.replace(providers[0]?.baseUrl ?? "", other.baseUrl),
			),
		check: ({ isOther }) => expect(isOther).toBe(true),
	},
};

it.each(Object.keys(CHANGES))("a waiting child does not run when this changed: %s", async (name) => {
	const change = CHANGES[name];
	let calls = 0;
	const second: { text: string; tools: readonly string[]; isOther: boolean }[] = [];
	const start = (isOther: boolean) =>
		startScriptedProvider((request) => {
			if (request.isChild) {
				const text = JSON.stringify(request.messages);
				if (calls > 1) second.push({ text, tools: request.tools, isOther });
				if (request.turn === 0 && request.tools.includes("read"))
					return { calls: [{ name: "read", arguments: { path: "private/plan.md" } }] };
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Yes." } }] };
			}
			if (request.turn > 1) return { text: "Thanks." };
			calls += 1;
			const call = { name: "subagent", arguments: { agent: "mine", task: "Look." } };
			return { calls: [call], ...(request.turn === 1 ? { after: meanwhile() } : {}) };
		});
	const meanwhile = async (): Promise<void> => {
		const place = home as PiHome;
		expect(await waitForChild(place.root)).toBe(true);
		await sleep(500);
		expect(listChildrenOf(place.root)).not.toEqual([]);
		change?.apply(place, providers[1] as ScriptedProvider);
	};
	providers.push(await start(false), await start(true));
	home = createPiHome(providers[0]?.baseUrl ?? "", { config: {}, waitingChildren: true });
	home.write(AGENT, describeAgent("read, ls"));
	home.write(SKILL, describeSkill("FIRST-WORDS"));
	home.write("project/private/plan.md", "PRIVATE-WORDS\n");
	const run = await runPiJson(home, "go");
	expect(toolEnds(run).map(({ isError }) => isError)).toEqual([false, false]);
	expect(second.length).toBeGreaterThan(0);
	const last = second.at(-1);
	if (last !== undefined) change?.check(last);
});
