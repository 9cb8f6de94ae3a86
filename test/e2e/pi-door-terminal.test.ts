import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPiHome, type PiHome, type PiHomeConfig } from "../helpers/pi-door-home.ts";
import { listChildrenOf, listProcessesOf } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { hasTerminal, openPiTerminal, type PiTerminal } from "../helpers/pi-door-terminal.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS, type PiVersion } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let terminal: PiTerminal | undefined;

beforeAll(() => {
	try {
		execFileSync("tmux", ["-V"]);
	} catch {
		throw new Error("These tests need tmux: apt-get install tmux");
	}
});

/** pi needs more than a second to quit: the next test does not wait for it, and the last hook looks at what was left. */
const endings: Promise<unknown>[] = [];

afterEach(({ task }) => {
	endings.push(end({ terminal, provider, home }).then((left) => ({ test: task.name, left })));
	terminal = undefined;
	provider = undefined;
	home = undefined;
});

afterAll(async () => {
	const ended = await Promise.all(endings);
	expect(ended).toEqual(ended.map((ending) => ({ ...(ending as object), left: [] })));
});

/** What is still there afterwards: processes, or why that could not be found out. */
async function end(used: {
	readonly terminal: PiTerminal | undefined;
	readonly provider: ScriptedProvider | undefined;
	readonly home: PiHome | undefined;
}): Promise<readonly unknown[]> {
	try {
		await used.terminal?.close();
		await used.provider?.close();
		const left = used.home ? listProcessesOf(used.home.root) : [];
		used.home?.remove();
		return left;
	} catch (error) {
		return [error];
	}
}

async function open(
	script: (request: ScriptedRequest) => ScriptedTurn,
	options: {
		readonly columns?: number;
		readonly rows?: number;
		readonly config?: PiHomeConfig;
		readonly prepare?: (home: PiHome) => void;
	} = {},
): Promise<PiTerminal> {
	provider = await startScriptedProvider(script);
	home = createPiHome(provider.baseUrl, options.config === undefined ? {} : { config: options.config });
	options.prepare?.(home);
	terminal = await openPiTerminal(home, { ...options, script: piScript });
	await terminal.waitFor("model-1");
	return terminal;
}

const ANSWER =
	"## Answer\nThe retry is decided in `next-attempt.ts:12`.\n\n- a list item\n- 日本語 wide text\n";

function handOver(result: string): ScriptedTurn {
	return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
}

function delegateTo(...agents: readonly string[]): ScriptedTurn {
	return {
		calls: agents.map((agent) => ({
			name: "subagent",
			arguments: { agent, task: `Look for the retry as ${agent} 日本語日本語日本語日本語日本語日本語日本語` },
		})),
	};
}

/** Optional on a developer's machine, not in CI. */
const isTerminalLeftOut = !hasTerminal() && process.env["CI"] !== "true";
const isAnyLeftOut = (pi: PiVersion): boolean => isTerminalLeftOut || isLeftOut(pi);

let piScript: string;

function use(pi: PiVersion): void {
	beforeAll(() => {
		demandInstalled(pi);
		piScript = pi.script;
	});
}

describe.each(PI_VERSIONS)("a delegation in the terminal of pi $version", (pi) => {
	describe.skipIf(isAnyLeftOut(pi))("with real keys", () => {
		use(pi);
		it("shows what a child does, its steps so far with ctrl+o, a short result, and everything when expanded", async () => {
			let look = (): void => {};
			const looked = new Promise<void>((resolve) => {
				look = resolve;
			});
			const screen = await open(
				(request) => {
					if (!request.isChild) return request.turn === 0 ? delegateTo("explorer") : { text: "All said." };
					if (request.turn > 0) return { ...handOver(ANSWER), after: looked };
					return {
						text: "I am looking for the word in the sources. ".repeat(8),
						streamMs: 1500,
						calls: [{ name: "grep", arguments: { pattern: "retry", path: "." } }],
					};
				},
				{ columns: 60, rows: 40 },
			);
			await screen.submit("go");
			const live = await screen.waitFor(/writing · turn 1 · /);
			expect(live).toMatch(/ ● explorer {2}Look for the retry/);
			expect(live).not.toMatch(/│\s*\n/);
			// The call took milliseconds and is still to be seen while the model is asked again.
			const asked = await screen.waitFor(/waiting for the model · turn 2 · \d+ s/);
			expect(asked).toMatch(/▸ grep retry \. · [\d.]+ m?s\n {3}│ /);
			screen.press("C-o");
			const steps = await screen.waitFor(/│ .*\n {3}▸ grep retry \. · [\d.]+ m?s\n {3}waiting for the model/);
			expect(steps).toContain("日本語日本語");
			screen.press("C-o");
			look();
			const done = await screen.waitFor("All said.");
			expect(done).toMatch(/ ✓ explorer {2}Look for the retry/);
			expect(done).toContain("The retry is decided in next-attempt.ts:12.");
			expect(done).toMatch(/done · 2 turns · [\d.]+ s · .*\$0\.0075 .*ctrl\+o to expand/);
			expect(done).not.toContain("│");
			screen.press("C-o");
			const expanded = await screen.waitFor("confinement:");
			expect(expanded).toContain("▸ grep retry .");
			expect(expanded).toContain("- a list item");
			expect(expanded).toContain("agent: builtin");
			expect(expanded).toMatch(/session: [0-9a-f]{8}-/);
			expect(expanded).toContain("~/.pi/subagent-sessions/");
		});

		it("shows parallel calls as one list, each with its own state", async () => {
			const screen = await open((request) => {
				if (!request.isChild)
					return request.turn === 0 ? delegateTo("explorer", "reviewer", "tester") : { text: "All said." };
				if (JSON.stringify(request.messages).includes("as reviewer")) return { status: 400 };
				return { ...handOver(ANSWER), delayMs: 800 };
			});
			await screen.submit("go");
			const done = await screen.waitFor("All said.");
			expect(done).toMatch(/✓ explorer[\s\S]*✗ reviewer[\s\S]*provider failed[\s\S]*✓ tester/);
		});

		it("never clears a screen of 18 lines while five agents work", async () => {
			const agents = ["explorer", "reviewer", "tester", "implementer", "explorer"];
			const screen = await open(
				(request) => {
					if (!request.isChild) return request.turn === 0 ? delegateTo(...agents) : { text: "All said." };
					if (request.turn > 0) return handOver(ANSWER);
					const calls = [{ name: "ls", arguments: {} }];
					return { text: "I am looking for the word. ".repeat(8), streamMs: 1500, calls };
				},
				{ rows: 18, columns: 80, config: { subagents: { maxConcurrency: 5 } } },
			);
			// The first turn of the screen after the start draws everything; what comes then is only what changed.
			await screen.submit("/toolkit help");
			await screen.waitFor("q Esc close");
			screen.press("q");
			await screen.waitUntilGone("q Esc close");
			const written = screen.record();
			await screen.submit("go");
			await screen.waitFor(/● explorer[\s\S]*● reviewer[\s\S]*● tester[\s\S]*● implementer[\s\S]*writing/);
			await screen.waitFor(/✓ (?:implementer|explorer)[\s\S]*All said\./);
			expect(written()).toContain("explorer");
			expect(written()).not.toContain("\u001b[2J");
			expect(written()).not.toContain("\u001b[3J");
		});

		it("shows a call that waits for its turn as waiting; all are cancelled with Esc, say so and leave no process", async () => {
			const screen = await open(
				(request) => {
					if (!request.isChild)
						return request.turn === 0 ? delegateTo("explorer", "tester") : { text: "All said." };
					return { text: "Working on it. ", hang: true };
				},
				{ config: { subagents: { maxConcurrency: 1 } } },
			);
			await screen.submit("go");
			const waiting = await screen.waitFor(/● explorer[\s\S]*Working on it\.[\s\S]*waiting for a free slot/);
			expect(waiting).toMatch(/ ○ tester .*\n {3}waiting for a free slot/);
			expect(listChildrenOf(home?.root ?? "none").length).toBeGreaterThan(0);
			screen.press("Escape");
			const cancelled = await screen.waitFor(/✗ explorer[\s\S]*✗ tester/);
			expect(cancelled).toMatch(/✗ explorer[\s\S]*The run was cancelled\.\n {3}cancelled · [\s\S]*✗ tester/);
			await screen.waitUntilGone("Working ──");
			expect(listChildrenOf(home?.root ?? "none")).toEqual([]);
			expect(provider?.requests.filter((request) => request.isChild)).toHaveLength(1);
			expect(home?.readJournal()).toContainEqual(expect.objectContaining({ name: "explorer", ok: false }));
		});

		it("asks once about an agent of the project, and remembers the answer by content", async () => {
			const file = "---\nname: deployer\ndescription: Deploy it\ntools: read\n---\nYou deploy.\n";
			const screen = await open(
				(request) => {
					if (request.isChild) return handOver("Deployed as planned.");
					const asked = request.messages.filter((message) => message.role === "user").length;
					return request.turn === (asked - 1) * 2 ? delegateTo("deployer") : { text: `Round ${asked} over.` };
				},
				{ prepare: (place) => place.write("project/.pi/agents/deployer.md", file) },
			);
			await screen.submit("go");
			const question = await screen.waitFor('Run the agent "deployer"');
			expect(question).toContain(".pi/agents/deployer.md");
			expect(question).toContain("Tools it gets: read");
			expect(question).toMatch(/→ Not now\n +Yes, run it\n +No, not in this session/);
			expect(question).toContain("| You deploy.");
			screen.press("Down", "Enter");
			await screen.waitFor("Round 1 over.");
			await screen.submit("again");
			const second = await screen.waitFor("Round 2 over.");
			expect(second.match(/✓ deployer/g)?.length).toBe(2);
		});

		it("does not run an agent of the project that was refused", async () => {
			const file = "---\nname: explorer\ndescription: Mine\ntools: read\n---\nYou are mine.\n";
			const screen = await open(
				(request) => {
					if (request.isChild) return handOver("must not happen");
					return request.turn === 0 ? delegateTo("explorer") : { text: "All said." };
				},
				{ prepare: (place) => place.write("project/.agents/explorer.md", file) },
			);
			await screen.submit("go");
			const question = await screen.waitFor('Run the agent "explorer"');
			expect(question).toContain("replaces the builtin agent");
			// The key that comes first to hand is no yes.
			screen.press("Enter");
			const refused = await screen.waitFor("All said.");
			expect(refused).toContain("was not run");
			expect(refused).toContain("not now");
			screen.press("C-o");
			await screen.waitFor("SUBAGENT_DISABLED");
			expect(provider?.requests.some((request) => request.isChild)).toBe(false);
		});
	});
});

describe.each(PI_VERSIONS)("/toolkit in the terminal of pi $version", (pi) => {
	describe.skipIf(isAnyLeftOut(pi))("with real keys", () => {
		use(pi);
		it("completes its words and opens each report in a panel that scrolls and closes", async () => {
			const screen = await open(() => ({ text: "Hello." }), { rows: 24 });
			// The first command also waits for pi to be up; completions are there only then.
			await screen.submit("/toolkit help");
			await screen.waitFor("/toolkit watch");
			screen.press("q");
			await screen.waitUntilGone("q Esc close");
			screen.type("/toolkit d");
			await screen.waitFor(/→ doctor/);
			screen.press("Tab");
			await screen.waitFor(/\/toolkit doctor/);
			screen.press("Enter");
			const top = await screen.waitFor(/1–\d+ of \d+/);
			expect(top).toContain("q Esc close");
			screen.press("End");
			const end = await screen.waitUntilGone(/ 1–\d+ of/);
			expect(end).not.toBe(top);
			screen.press("Home");
			await screen.waitFor(/ 1–\d+ of/);
			screen.press("j");
			await screen.waitFor(/ 2–\d+ of/);
			screen.press("k");
			await screen.waitFor(/ 1–\d+ of/);
			screen.press("PageDown");
			await screen.waitUntilGone(/ 1–\d+ of/);
			screen.press("Escape");
			await screen.waitUntilGone("q Esc close");
			for (const [name, shown] of [
				["agents", "Agents: 6"],
				["logs", "Nothing has been recorded yet."],
				["activity", "Activity: 0 records"],
			] as const) {
				await screen.submit(`/toolkit ${name}`);
				await screen.waitFor(shown);
				screen.press("q");
				await screen.waitUntilGone("q Esc close");
			}
		});
	});
});

describe.each(PI_VERSIONS)("/toolkit watch in the terminal of pi $version", (pi) => {
	describe.skipIf(isAnyLeftOut(pi))("with real keys", () => {
		use(pi);
		it("looks inside a child, sends it a message, stops it alone and opens what was logged", async () => {
			let goOn = (): void => {};
			const wait = new Promise<void>((resolve) => {
				goOn = resolve;
			});
			const screen = await open(
				(request) => {
					if (!request.isChild)
						return request.turn === 0 ? delegateTo("explorer", "tester") : { text: "All said." };
					const isTester = JSON.stringify(request.messages).includes("as tester");
					if (isTester) return { text: "Half of the answer. ", hang: true };
					if (request.turn > 0)
						return handOver(`Told: ${JSON.stringify(request.messages).includes("north")}`);
					return { text: "I look. ", after: wait, calls: [{ name: "ls", arguments: {} }] };
				},
				{ columns: 90, rows: 44 },
			);
			await screen.submit("go");
			await screen.waitFor(/● explorer[\s\S]*● tester[\s\S]*Half of the answer/);
			await screen.submit("/toolkit watch");
			const list = await screen.waitFor(/2 at work, 0 done[\s\S]*→● explorer[\s\S]* ● tester/);
			expect(list).toContain("x stop it · b background · s message · q Esc close");
			screen.press("Down", "Enter");
			const inside = await screen.waitFor(
				/tester: writing · turn 1 · \d+ s[\s\S]*What it did[\s\S]*Half of the answer/,
			);
			expect(inside).toContain("Look for the retry as tester");
			expect(inside).not.toContain("Where");
			screen.type("fix me");
			await screen.waitFor(/tester: writing[\s\S]*Where\n/);
			screen.press("i", "x");
			await screen.waitFor(/What it did[\s\S]*x again to stop it/);
			await sleep(400);
			screen.press("x");
			await screen.waitFor(/tester: cancelled[\s\S]*The user stopped this child/);
			screen.press("q");
			await screen.waitFor(/1 at work, 1 done[\s\S]*→✗ tester/);
			screen.press("Up", "Enter");
			await screen.waitFor("explorer: waiting for the model");
			screen.press("s");
			await screen.waitFor("Message for explorer");
			screen.type("look north");
			screen.press("Enter");
			await screen.waitFor(/What it did[\s\S]*The user wrote: look north/);
			screen.press("q");
			await screen.waitFor(/→● explorer/);
			goOn();
			await screen.waitFor(/0 at work, 2 done/);
			screen.press("o");
			await screen.waitFor(/pi --session[\s\S]*explorer_[\s\S]*deputize run explorer --session/);
			const done = await screen.waitFor(/✗ tester[\s\S]*All said\./);
			expect(done).toMatch(/✓ explorer[\s\S]*Told: true[\s\S]*✗ tester[\s\S]*The user stopped this child/);
			const told = provider?.requests.findLast((request) => !request.isChild);
			const result = JSON.stringify(told?.messages.at(-1));
			expect(result).toContain("The user stopped this child in /toolkit watch.");
			expect(result).toContain("Partial output:\\n\\nHalf of the answer.");
			await screen.submit("/toolkit logs --project here");
			await screen.waitFor(/Log: everything in \.[\s\S]*Enter look inside/);
			screen.press("Enter");
			await screen.waitFor(/What it did[\s\S]*ls \{\}/);
			screen.press("q");
			await screen.waitFor("Enter look inside");
			screen.press("q");
			await screen.waitUntilGone("q Esc close");
		});

		it("lets a child go on in the background with a key, and shows its answer as a card", async () => {
			let release = (): void => {};
			const released = new Promise<void>((resolve) => {
				release = resolve;
			});
			const screen = await open((request) => {
				if (request.isChild) return { ...handOver("The parser is in src/parse.ts."), after: released };
				const last = JSON.stringify(request.messages.at(-1));
				if (last.includes("background on this task")) return { text: "Heard of it." };
				return request.turn === 0 ? delegateTo("explorer") : { text: "I go on." };
			});
			await screen.submit("go");
			await screen.waitFor(/● explorer[\s\S]*waiting for the model/);
			screen.press("C-M-b");
			await screen.waitFor(/● explorer.*\n {3}In the background[\s\S]*I go on\./);
			await screen.waitFor(/1 agent in the background · \d+ s/);
			expect(screen.read()).toContain("$0.007");
			release();
			await screen.waitFor(/(?:✓ explorer.*\n {3}The parser is in src\/parse\.ts\.[\s\S]*){2}Heard of it\./);
			await screen.waitUntilGone("in the background ·");
			// Two turns of the parent before, one after, and the child's.
			await screen.waitFor("$0.015");
		});

		it("runs an agent without the model, and hands its answer over when told to", async () => {
			const screen = await open((request) => {
				const isLong = JSON.stringify(request.messages).includes("Keep looking");
				if (request.isChild && isLong) return { text: "Half of it. ", hang: true };
				if (request.isChild) return handOver("The parser is in src/parse.ts.");
				return { text: `I know: ${JSON.stringify(request.messages).includes("src/parse.ts")}.` };
			});
			await screen.submit("@explorer Keep looking.");
			await screen.waitFor(/● explorer {2}Keep looking\.[\s\S]*Half of it[\s\S]*Esc stops it/);
			screen.type("mine");
			screen.press("Escape");
			await screen.waitFor(/✗ explorer {2}Keep looking\.\n {3}The user stopped this child\.[\s\S]*\nmine/);
			screen.press("C-u");
			screen.type("/toolkit run expl");
			await screen.waitFor(/→ explorer/);
			screen.press("Tab");
			screen.type("Where is the parser?");
			await screen.waitFor("/toolkit run explorer Where is the parser?");
			screen.press("Enter");
			await screen.waitFor(/✓ explorer {2}Where is the parser\?\n {3}The parser is in src\/parse\.ts\./);
			await screen.waitFor("explorer has answered. /toolkit give gives its answer to the model.");
			expect(provider?.requests.every((request) => request.isChild)).toBe(true);
			await screen.submit("/toolkit give");
			await screen.waitFor("with your next message");
			await screen.submit("Do you know?");
			await screen.waitFor("I know: true.");
		});
	});
});
