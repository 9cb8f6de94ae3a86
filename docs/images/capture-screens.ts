// Makes the pictures and recordings (cast-*.svg) of this folder from a real screen: packs the package, installs it with `pi install`, drives
// pi in a terminal with real keys, and draws what the terminal shows. Run: node docs/images/capture-screens.ts [stills|casts|writer|light]
// Those in the light theme come from the 1.x line, the others from 0.87.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@deputize/ground";
import { rgPath } from "@vscode/ripgrep";
import { createPiHome, type PiHome, type PiHomeConfig } from "../../test/helpers/pi-door-home.ts";
import {
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../../test/helpers/pi-door-provider.ts";
import { openPiTerminal, type PiTerminal } from "../../test/helpers/pi-door-terminal.ts";
import { NEWER_PI, OLDER_PI, type PiVersion } from "../../test/helpers/pi-door-versions.ts";
import { filmScreen } from "./film-screen.ts";
import { DARK, LIGHT, renderCast, renderScreen } from "./render-screen.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..", "..");
const MODULES = realpathSync(join(ROOT, "node_modules"));

const ANSWER = `## Answer
Retries are decided in \`src/next-attempt.ts:12\`: a failed attempt is repeated only when no tool with side effects ran.

- \`src/run-child.ts:34\` asks for the decision after every attempt
- \`src/next-attempt.ts:20\` counts them against \`retry.maxAttempts\`
`;

function handOver(result: string): ScriptedTurn {
	return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
}

const HTTP = `export async function retry(send: () => Promise<void>): Promise<void> {
	for (let attempt = 0; attempt < 5; attempt += 1) {
		await send();
	}
}
`;

const HTTP_TEST = `import { retry } from "../src/http.ts";

it("waits between two attempts", async () => {
	const times: number[] = [];
	await retry(async () => void times.push(Date.now()));
	expect(times[1] - times[0]).toBeGreaterThan(90);
});
`;

/** One focused change: it reads, edits, adds a test and looks at what it did. */
function playWriter({ turn }: ScriptedRequest): ScriptedTurn {
	const sends = "\t\tawait send();\n";
	const edits = [{ oldText: sends, newText: `${sends}\t\tawait sleep(100 * 2 ** attempt);\n` }];
	const turns: readonly ScriptedTurn[] = [
		{
			text: "I read the function first, then change it and add a test for the wait.",
			streamMs: 1200,
			calls: [{ name: "read", arguments: { path: "src/http.ts" } }],
		},
		{ delayMs: 900, calls: [{ name: "edit", arguments: { path: "src/http.ts", edits } }] },
		{
			delayMs: 1500,
			calls: [{ name: "write", arguments: { path: "test/http.test.ts", content: HTTP_TEST } }],
		},
		{ delayMs: 2200, calls: [{ name: "bash", arguments: { command: "grep -c sleep src/http.ts" } }] },
		{ ...handOver("Retries wait 100 ms, doubled each time; one test was added."), delayMs: 2500 },
	];
	return turns[turn] ?? handOver("Done.");
}

function playChild(request: ScriptedRequest): ScriptedTurn {
	const asked = JSON.stringify(request.messages);
	if (asked.includes("Make retry wait")) return playWriter(request);
	if (asked.includes("for wrong retries")) return playReviewer(request);
	if (asked.includes("need a test")) return playTester(request);
	if (asked.includes("everywhere"))
		return { text: "I look through all files for places that retry. ", hang: true };
	if (asked.includes("limits of the provider")) return playFailure(request);
	if (asked.includes("deploy")) return handOver("The release plan is in order.");
	if (request.turn === 0) {
		return {
			text: "I look for the word retry in the sources first, then read the file where the decision is made. The limit is configured, so I follow it from there.",
			streamMs: 1500,
			calls: [{ name: "grep", arguments: { pattern: "retry", path: "src" } }],
		};
	}
	if (request.turn === 1) {
		return { delayMs: 2500, calls: [{ name: "read", arguments: { path: "src/next-attempt.ts" } }] };
	}
	return handOver(ANSWER);
}

function playReviewer(request: ScriptedRequest): ScriptedTurn {
	if (request.turn === 0) {
		return {
			text: "I read the file whole, then its callers: a retry after a write would do the work twice.",
			streamMs: 1200,
			calls: [{ name: "read", arguments: { path: "src/next-attempt.ts" } }],
		};
	}
	if (request.turn === 1)
		return {
			delayMs: 3000,
			calls: [{ name: "grep", arguments: { pattern: "nextAttempt\\(", path: "src" } }],
		};
	return handOver(
		"One finding: the counter in `src/next-attempt.ts:20` is not reset when the model changes.",
	);
}

function playTester(request: ScriptedRequest): ScriptedTurn {
	if (request.turn === 0)
		return { delayMs: 400, calls: [{ name: "find", arguments: { pattern: "*.test.ts" } }] };
	if (request.turn === 1) {
		return {
			text: "There is no test for a child that is killed between two attempts. I list the cases in the order of their risk.",
			streamMs: 6000,
			calls: [{ name: "ls", arguments: { path: "src" } }],
		};
	}
	return handOver("Four cases are missing; the first is a child that is killed between two attempts.");
}

/** One good turn, then a provider that refuses. */
function playFailure(request: ScriptedRequest): ScriptedTurn {
	if (request.turn > 0) return { delayMs: 1200, status: 400 };
	return {
		text: "The limit is read in src/next-attempt.ts. I check who sets it.",
		streamMs: 1500,
		calls: [{ name: "grep", arguments: { pattern: "maxAttempts", path: "src" } }],
	};
}

function playParent(request: ScriptedRequest): ScriptedTurn {
	const last = [...request.messages].reverse().find((message) => message.role === "user");
	const asked = JSON.stringify(last?.content);
	const answered = request.messages.at(-1)?.role === "tool";
	const call = (agent: string, task: string) => ({ name: "subagent", arguments: { agent, task } });
	if (answered && asked.includes("three")) {
		if (JSON.stringify(request.messages).includes("stopped this child"))
			return {
				text: "Retries are decided in src/next-attempt.ts:12, and there is one bug. You stopped the tester.",
			};
		return {
			text: "Retries are decided in src/next-attempt.ts:12. There is one bug, and four cases have no test.",
		};
	}
	if (answered && asked.includes("limits"))
		return { text: "The provider refused in the middle. What the explorer had found is kept." };
	if (answered && asked.includes("wait longer"))
		return { text: "The fixer made retries wait, and you have applied it." };
	if (answered) return { text: "That is what I found." };
	if (asked.includes("wait longer"))
		return { calls: [call("fixer", "Make retry wait between attempts, longer each time.")], streamMs: 700 };
	if (asked.includes("limits"))
		return { calls: [call("explorer", "Where are the limits of the provider set?")], streamMs: 700 };
	if (asked.includes("Look everywhere"))
		return { calls: [call("explorer", "Look everywhere for code that retries.")] };
	if (asked.includes("release"))
		return { calls: [call("deployer", "Check the plan to deploy the release.")] };
	if (asked.includes("three")) {
		return {
			calls: [
				call("explorer", "Where is decided whether a failed run is tried again?"),
				call("reviewer", "Review src/next-attempt.ts for wrong retries."),
				call("tester", "Which cases of the retry need a test?"),
			],
			streamMs: 900,
		};
	}
	return {
		calls: [call("explorer", "Where is decided whether a failed run is tried again? Name file and line.")],
		streamMs: 750,
	};
}

function installPackage(home: PiHome, pi: PiVersion): void {
	const packed = join(home.root, "packed");
	mkdirSync(packed);
	execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", packed], {
		cwd: ROOT,
		stdio: "ignore",
	});
	const [tarball] = readdirSync(packed);
	execFileSync(process.execPath, [pi.script, "install", `npm:deputize@file:${join(packed, tarball ?? "")}`], {
		cwd: home.project,
		env: { ...process.env, ...home.env, PI_OFFLINE: "" },
		stdio: "inherit",
	});
}

/** pi itself warns when it finds neither of its search programs; our children bring their own. */
function linkSearchTools(home: PiHome): string {
	const bin = join(home.root, "bin");
	mkdirSync(bin);
	for (const name of ["rg", "fd"]) symlinkSync(rgPath, join(bin, name));
	return bin;
}

interface Stage {
	readonly terminal: PiTerminal;
	/** Draws the screen from the first line that matches to the last that shows something. */
	save(name: string, from?: RegExp): void;
	/** Draws the whole screen as it changes until `act` is over. */
	film(name: string, act: () => Promise<void>): Promise<void>;
}

async function withStage(
	options: {
		readonly pi: PiVersion;
		readonly theme: "dark" | "light";
		readonly columns: number;
		readonly rows?: number;
		readonly config?: PiHomeConfig;
	},
	act: (stage: Stage) => Promise<void>,
): Promise<void> {
	const { pi, theme, columns, rows = 44, config } = options;
	const provider = await startScriptedProvider((request) =>
		request.isChild ? playChild(request) : playParent(request),
	);
	const created = createPiHome(provider.baseUrl, { settings: { theme }, ...defined({ config }) });
	const bin = linkSearchTools(created);
	const home = {
		...created,
		env: { ...created.env, PATH: `${bin}:${created.env["PATH"]}`, COLORTERM: "truecolor" },
	};
	installPackage(home, pi);
	home.write("project/src/next-attempt.ts", "// the retry is decided here\n");
	if (config) {
		home.write("project/src/http.ts", HTTP);
		execFileSync("git", ["init", "-q"], { cwd: home.project });
	}
	home.write(
		"project/.pi/agents/deployer.md",
		"---\nname: deployer\ndescription: Check a plan to deploy\ntools: read, bash\n---\nYou check plans.\n",
	);
	const terminal = await openPiTerminal(home, { columns, rows, extensions: [], script: pi.script });
	// Where this run happened to live says nothing to a reader.
	const look = (): readonly string[] =>
		[
			[home.project, "~/project"],
			[home.home, "~"],
			[home.root, "~"],
			[MODULES, "~/deputize/node_modules"],
		]
			.reduce((text, [path = "", name = ""]) => text.replaceAll(path, name), terminal.readStyled())
			.split("\n");
	const film = async (name: string, act: () => Promise<void>): Promise<void> => {
		const frames = await filmScreen(look, act);
		writeFileSync(join(HERE, `${name}.svg`), renderCast(frames, { columns, from: 0, to: rows }));
	};
	const save = (name: string, from?: RegExp): void => {
		const plain = terminal.read().split("\n");
		const first = from
			? Math.max(
					0,
					plain.findIndex((line) => from.test(line)),
				)
			: 0;
		const to = plain.findLastIndex((line) => line.trim() !== "") + 1;
		const paper = theme === "light" ? LIGHT : DARK;
		writeFileSync(join(HERE, `${name}.svg`), renderScreen(look(), { columns, from: first, to, paper }));
	};
	try {
		await terminal.waitFor("model-1");
		await act({ terminal, save, film });
	} finally {
		await terminal.close();
		await provider.close();
		home.remove();
	}
}

const RULE = /^──/;
const THREE = "Where are retries decided, is that right, and is it tested? Ask three agents.";
const [only] = process.argv.slice(2);
const wants = (part: string): boolean => only === undefined || only === part;

if (wants("casts")) {
	await withStage({ pi: OLDER_PI, theme: "dark", columns: 96, rows: 27 }, async ({ terminal, film }) => {
		await film("cast-parallel", async () => {
			await terminal.submit(THREE);
			await terminal.waitFor(/✓ tester[\s\S]*four cases have no test/);
		});
	});
	await withStage({ pi: OLDER_PI, theme: "dark", columns: 96, rows: 20 }, async ({ terminal, film }) => {
		await film("cast-cancelled", async () => {
			await terminal.submit("Look everywhere");
			await terminal.waitFor("I look through all files");
			await sleep(1500);
			terminal.press("Escape");
			await terminal.waitFor(/cancelled · /);
			await terminal.waitUntilGone("Working ──");
			await sleep(1200);
			terminal.press("C-o");
			await sleep(1500);
		});
	});
	await withStage({ pi: OLDER_PI, theme: "dark", columns: 96, rows: 20 }, async ({ terminal, film }) => {
		await film("cast-failed", async () => {
			await terminal.submit("Where are the limits?");
			await terminal.waitFor(/✗ explorer[\s\S]*is kept/);
			await sleep(1500);
			terminal.press("C-o");
			await sleep(1500);
		});
	});
}

if (wants("stills"))
	await withStage({ pi: OLDER_PI, theme: "dark", columns: 100 }, async ({ terminal, save }) => {
		await terminal.submit("Where are retries decided?");
		await terminal.waitFor(/waiting for the model[\s\S]*▸ grep [\s\S]*│ \S/);
		save("running", /● explorer/);
		await terminal.waitFor("That is what I found.");
		save("done", /✓ explorer/);
		terminal.press("C-o");
		await terminal.waitFor("confinement:");
		save("expanded", /✓ explorer/);
		terminal.press("C-o");
		await terminal.waitUntilGone("confinement:");
		await terminal.submit(THREE);
		await terminal.waitFor(
			/● reviewer[\s\S]*waiting for the model[\s\S]*● tester[\s\S]*writing[\s\S]*│ There/,
		);
		save("parallel", /● explorer/);
		await terminal.submit("/toolkit watch");
		await terminal.waitFor(/at work[\s\S]*→/);
		save("watch", /Agents of this session/);
		// How many are before it depends on who has ended by now.
		while (!/→● tester/.test(terminal.read())) {
			terminal.press("Down");
			await sleep(300);
		}
		terminal.press("Enter");
		await terminal.waitFor(/tester: writing[\s\S]*find /);
		save("watch-inside", /tester: writing/);
		terminal.press("x");
		await terminal.waitFor("x again to stop it");
		await sleep(500);
		terminal.press("x");
		await terminal.waitFor("tester: cancelled");
		terminal.press("q");
		await terminal.waitFor(/✗ tester/);
		terminal.press("q");
		await terminal.waitFor(/✗ tester[\s\S]*You stopped the tester/);
		save("stopped", /✓ explorer {2}Where is decided whether a failed run is tried again\?$|✓ reviewer/);
		await terminal.submit("Look everywhere");
		await terminal.waitFor("I look through all files");
		terminal.press("Escape");
		await terminal.waitFor(/cancelled · /);
		await terminal.waitUntilGone("Working ──");
		save("cancelled", /✗ explorer/);
		await terminal.submit("Check the release");
		await terminal.waitFor("Run the agent");
		save("trust", /● deployer/);
		terminal.press("Down", "Enter");
		await terminal.waitFor(/✓ deployer[\s\S]*That is what I found/);
		for (const name of ["agents", "doctor", "logs", "activity"]) {
			await terminal.submit(`/toolkit ${name}`);
			await terminal.waitFor("q Esc close");
			await sleep(300);
			save(`toolkit-${name}`, RULE);
			terminal.press("q");
			await terminal.waitUntilGone("q Esc close");
		}
	});

if (wants("writer")) {
	const config = { subagents: { writers: ["fixer"] } };
	await withStage(
		{ pi: OLDER_PI, theme: "dark", columns: 96, rows: 26, config },
		async ({ terminal, film, save }) => {
			await film("cast-writer", async () => {
				await terminal.submit("Retries should wait longer each time.");
				await terminal.waitFor(/● fixer[\s\S]*http\.test\.ts[\s\S]* new/);
				await sleep(1000);
				save("writer-running", /● fixer/);
				await terminal.waitFor("Apply what fixer changed?");
				await sleep(2000);
				save("writer-question", /● fixer/);
				terminal.press("Down");
				await sleep(600);
				terminal.press("Enter");
				await terminal.waitFor("The diff of");
				await sleep(2500);
				save("writer-diff", RULE);
				terminal.press("q");
				await terminal.waitFor("Apply what fixer changed?");
				terminal.press("Down", "Down");
				await sleep(600);
				terminal.press("Enter");
				await terminal.waitFor("you have applied it");
				await sleep(2500);
				save("writer-applied", /✓ fixer/);
				await terminal.submit("/toolkit changes");
				await terminal.waitFor("Changes of agents here");
				await sleep(1500);
				terminal.press("Enter");
				await terminal.waitFor("u undo");
				await sleep(1500);
				terminal.press("u");
				await terminal.waitFor("Took back");
				await sleep(1500);
				terminal.press("Space");
				await sleep(1500);
				save("writer-changes", /^ fixer [0-9a-f]{8}/);
			});
		},
	);
}

if (wants("light"))
	await withStage({ pi: NEWER_PI, theme: "light", columns: 60 }, async ({ terminal, save }) => {
		await terminal.submit("Ask three of them");
		await terminal.waitFor(/● reviewer[\s\S]*waiting for the model[\s\S]*● tester[\s\S]*writing/);
		save("light-parallel", /● explorer/);
		await terminal.waitFor(/✓ tester[\s\S]*four cases/);
		save("light-done", /✓ explorer/);
	});
