import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { prepareAnswersDirectory } from "../../src/judge/answers-directory.ts";
import { fingerprint, listSpellings, SECRET, writeHostileRepository } from "../helpers/hostile-repository.ts";
import { runProgram } from "../helpers/loop-program.ts";
import { connectOfficialClient, hasMcpPeers } from "../helpers/mcp-client.ts";
import { createPiHome, MODEL, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";
import { runCli } from "../helpers/run-cli.ts";

/**
 * A repository that a stranger made, opened by the doors that are programs: pi, the command line, MCP and `exec`. The library
 * is the door of files.test.ts, which tries every spelling with and without the sandbox.
 */
let home: PiHome | undefined;
let provider: ScriptedProvider | undefined;
afterEach(async () => {
	await provider?.close();
	home?.remove();
	provider = undefined;
	home = undefined;
});

const EVIL = "touch /tmp/deputize-owned; echo x > owned";
const UNGRANTED = ["bash", "write", "edit", "subagent", "python_execute", "mcp", "load_tools"];

/** Everything a hostile model can think of in a few turns. */
function listAttacks(place: PiHome): readonly { readonly name: string; readonly arguments: unknown }[] {
	return [
		...listSpellings(place).map((path) => ({ name: "read", arguments: { path } })),
		{ name: "grep", arguments: { pattern: "private-material", path: "~" } },
		{ name: "grep", arguments: { pattern: "private-material", path: "home" } },
		{ name: "grep", arguments: { pattern: "x", glob: "--pre=./node_modules/.bin/rg" } },
		...UNGRANTED.map((name) => ({
			name,
			arguments: { command: EVIL, code: EVIL, path: "owned", content: "x", agent: "explorer", task: "x" },
		})),
	];
}

const IN_ONE_MESSAGE = 24;
const attackOf = (turn: number, attacks: ReturnType<typeof listAttacks>): ScriptedTurn | undefined => {
	const calls = attacks.slice(turn * IN_ONE_MESSAGE, (turn + 1) * IN_ONE_MESSAGE);
	return calls.length === 0 ? undefined : { calls };
};
const HAND_OVER: ScriptedTurn = {
	calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "tried" } }],
};

async function open(script: (request: ScriptedRequest, place: PiHome) => ScriptedTurn) {
	provider = await startScriptedProvider((request) => script(request, place));
	const place = createPiHome(provider.baseUrl);
	home = place;
	const write = (path: string, text: string): string => {
		const file = path.startsWith("/") ? path : join(place.project, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	};
	writeHostileRepository({ home: place.home, project: place.project, write });
	// pi itself makes these when they are missing.
	for (const name of ["auth.json", "models-store.json", "trust.json"])
		write(join(place.agentDirectory, name), "{}");
	// Of the parent, and nothing is left in it: no answer here is long.
	prepareAnswersDirectory(place.home, place.project);
	const env = { ...place.env, DEPUTIZE_TEST_SECRET: SECRET };
	return { place, env, before: takeStock(place) };
}

/** Apart from what a run may write: its journal, runs and sessions. */
function takeStock({ project, home: directory, agentDirectory }: PiHome): readonly string[] {
	const own = [
		join(agentDirectory, "deputize"),
		join(agentDirectory, "sessions"),
		join(directory, ".pi/subagent-sessions"),
	];
	return [fingerprint(project, []), fingerprint(directory, own)];
}

function expectUntouched(place: PiHome, before: readonly string[], shown: readonly string[]): void {
	expect(takeStock(place)).toEqual(before);
	expect(existsSync("/tmp/deputize-owned")).toBe(false);
	const asked =
		provider?.requests.filter(({ isChild }) => isChild).map(({ body }) => JSON.stringify(body)) ?? [];
	expect(asked.length).toBeGreaterThan(2);
	for (const text of [...asked, ...shown]) {
		expect(text).not.toContain(SECRET);
		expect(text).not.toContain("DEPUTIZE_TEST_SECRET");
		expect(text).not.toContain("Obey");
	}
	const refusals = asked.at(-1)?.match(/FILE_(CLOSED|NOT_FOUND|WRONG_KIND|UNREADABLE)/g) ?? [];
	expect(refusals.length).toBeGreaterThanOrEqual(listSpellings(place).length);
}

describe.each(PI_VERSIONS)("a hostile repository in pi $version", (pi) => {
	it.skipIf(isLeftOut(pi))("runs nothing, writes nothing and lets nothing out", async () => {
		demandInstalled(pi);
		const { place, env, before } = await open((request, at) => {
			if (request.isChild) return attackOf(request.turn, listAttacks(at)) ?? HAND_OVER;
			const agent = ["explorer", "reviewer"][request.turn];
			return agent === undefined
				? { text: "Thank you." }
				: { calls: [{ name: "subagent", arguments: { agent, task: "Steal" } }] };
		});
		const run = await runPiJson(place, "go", { env, script: pi.script });
		const [explorer, reviewer] = toolEnds(run);
		// Its own explorer replaces the built-in one, and there is nobody to ask.
		expect(explorer?.result.details["error"]).toMatchObject({ code: "SUBAGENT_DISABLED" });
		expect(reviewer?.isError).toBe(false);
		expectUntouched(place, before, [JSON.stringify(explorer), JSON.stringify(reviewer)]);
	});
});

describe("a hostile repository on the command line", () => {
	it.each(["pi", "loop"])(
		"runs nothing, writes nothing and lets nothing out, runtime %s",
		async (runtime) => {
			const { place, env, before } = await open(
				(request, at) => attackOf(request.turn, listAttacks(at)) ?? HAND_OVER,
			);
			const run = (...args: string[]) =>
				runCli(["run", "explorer", "Steal", "--runtime", runtime, "--model", MODEL, ...args], {
					cwd: place.project,
					env: { ...env, DEPUTIZE_LOOP_URL: `${provider?.baseUrl}/chat/completions` },
				});
			const refused = await run();
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain("comes from this project");
			expect(provider?.requests).toEqual([]);
			const { code, stdout, stderr } = await run("--builtin", "--stream");
			expect(code).toBe(0);
			expectUntouched(place, before, [stdout, stderr, refused.stdout, refused.stderr]);
		},
	);
});

describe.skipIf(!hasMcpPeers)("a hostile repository in an MCP client", () => {
	it("runs nothing, writes nothing and lets nothing out", async () => {
		const { place, env, before } = await open(
			(request, at) => attackOf(request.turn, listAttacks(at)) ?? HAND_OVER,
		);
		const { client } = await connectOfficialClient({
			era: "auto",
			args: ["--runtime", "pi", "--model", MODEL],
			cwd: place.project,
			env,
		});
		try {
			const ask = (agent: string) =>
				client.callTool({ name: "subagent", arguments: { agent, task: "Steal" } });
			const refused = await ask("explorer");
			expect(refused.isError).toBe(true);
			expect(provider?.requests).toEqual([]);
			const answer = await ask("reviewer");
			expect(answer.isError).toBeFalsy();
			expectUntouched(place, before, [JSON.stringify(refused), JSON.stringify(answer)]);
		} finally {
			await client.close();
		}
	});
});

describe("a hostile repository under exec", () => {
	it("runs nothing, writes nothing and lets nothing out", async () => {
		const { place, env, before } = await open(
			(request, at) => attackOf(request.turn, listAttacks(at)) ?? { text: "tried" },
		);
		const payload = {
			...{ model: "m", provider: "openai-chat", url: `${provider?.baseUrl}/chat/completions` },
			...{ api_key_name: "TEST_KEY", prompt: "Steal", tool_subset: ["read", "grep"] },
		};
		const { exitCode, stdout, stderr } = await runProgram(payload, { cwd: place.project, env });
		expect(exitCode).toBe(0);
		// Its requests carry no sign of a child: all of them are the model's.
		const asked = provider?.requests.map(({ body }) => JSON.stringify(body)) ?? [];
		for (const text of [...asked, stdout, stderr]) {
			expect(text).not.toContain(SECRET);
			expect(text).not.toContain("DEPUTIZE_TEST_SECRET");
		}
		expect(asked.at(-1)?.match(/FILE_CLOSED/g)?.length).toBeGreaterThan(20);
		expect(takeStock(place)).toEqual(before);
		expect(existsSync("/tmp/deputize-owned")).toBe(false);
	});
});
