import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { RUNTIME_NAMES, type RuntimeName } from "../../src/contract/agent.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { pictureProject } from "../helpers/picture-project.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import {
	finalize,
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

const probe = await probeSandbox({ env: process.env });
const hasLayers = probe.works && probe.sandbox.layers.how !== "none";
let home: TestHome;
let provider: ScriptedProvider | undefined;

afterEach(async () => {
	await provider?.close();
	provider = undefined;
	home.remove();
});

/** Codex has no shell of its own in a layer, and reads with our tools. */
const readLayer = (runtime: RuntimeName) =>
	runtime === "codex"
		? RUNTIME_ROWS.codex.callOurs("read", { path: "add.js" })
		: RUNTIME_ROWS[runtime].read(home, "add.js");

async function test(
	runtime: RuntimeName,
	listTurns: () => readonly ScriptedTurn[],
	{ subagents = { tryCommands: true }, ofProject }: { subagents?: object; ofProject?: object } = {},
) {
	home = createTestHome({
		"add.js": "exports.add = (a, b) => a - b;\n",
		"test.js": 'process.exit(require("./add.js").add(1, 2) === 3 ? 0 : 1);\n',
		...(ofProject ? { ".pi/deputize.json": JSON.stringify({ subagents: ofProject }) } : {}),
	});
	execFileSync("git", ["init", "-q"], { cwd: home.project });
	home.write(
		join(home.agentDirectory, "deputize.json"),
		JSON.stringify({ subagents: { keepWarm: 0, ...subagents } }),
	);
	home.write(join(home.agentDirectory, "trust.json"), JSON.stringify({ [home.project]: true }));
	home.write(join(home.home, ".ssh/id_ed25519"), "closed-file-content");
	const row = RUNTIME_ROWS[runtime];
	provider = await startScriptedProvider(listTurns(), row.api);
	const options = row.configure(home, provider);
	const before = pictureProject(home.project);
	const result = await delegate({ agent: "tester", task: "Do the tests pass?" }, options);
	expect(pictureProject(home.project)).toBe(before);
	const layers = join(home.agentDirectory, "deputize", "changes");
	expect(existsSync(layers) ? readdirSync(layers) : []).toEqual([]);
	return { result, seen: provider.requests().join("\n") };
}

describe.skipIf(!hasLayers).each(RUNTIME_NAMES)("a reader that tries commands (%s)", (runtime) => {
	const row = RUNTIME_ROWS[runtime];
	const tries = (command: string, timeout?: number) =>
		row.callOurs("try_command", { command, ...(timeout === undefined ? {} : { timeout }) });
	const finalize = (result: string): ScriptedTurn => row.handOver({ status: "SUCCESS", result });

	it("runs the tests in the project as it is, and says which commands ended how", async () => {
		const { result, seen } = await test(runtime, () => [
			{ calls: [tries("node test.js")] },
			{ calls: [tries("sed -i s/-/+/ add.js && node test.js && mkdir made && git status --short")] },
			// Its other tools see what its commands did.
			{ calls: [readLayer(runtime), tries("sleep 60", 1)] },
			finalize("They fail; with + they pass."),
		]);
		expect(result.details.error).toBeUndefined();
		expect(seen).toContain("a + b");
		expect(result.details.tried?.map(({ exitCode }) => exitCode)).toEqual([1, 0, null]);
		expect(result.details.changes).toBeUndefined();
		expect(result.details.results[0]).toMatchObject({ confinement: "os-sandbox" });
		expect(result.content[0].text).toContain("Commands: node test.js → 1; sed -i");
		expect(result.content[0].text).not.toMatch(/not applied|No file was changed/);
	});

	it("changes not a byte outside of its layer, reaches no server and no closed file, and leaves no process", async () => {
		let hits = 0;
		const server = createServer((_request, response) => {
			hits += 1;
			response.end("reached");
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		const sleep = `${300 + (process.pid % 1000)}.25`;
		try {
			const { result, seen } = await test(runtime, () => [
				{
					calls: [
						tries(
							`rm -rf ./* .git; echo x > "$HOME/.bashrc"; echo x > /etc/tried; echo x > "$HOME/.pi/agent/deputize.json"; cat "$HOME/.pi/agent/models.json" ~/.ssh/id_ed25519; env; exec 3<>/dev/tcp/127.0.0.1/${port} && echo "GET /" >&3 && cat <&3; echo e""nd`,
						),
						tries(
							`for p in /proc/[0-9]*; do cat $p/environ; done | tr '\\0' '\\n' | grep -a KEY; ls -A ~/.pi/agent; (setsid sleep ${sleep} >/dev/null 2>&1 &); mount --bind /tmp /etc; unshare -Ur true && ec""ho namespace; echo l""eft`,
						),
					],
				},
				finalize("Done."),
			]);
			expect(result.details.error).toBeUndefined();
			expect(result.details.tried).toHaveLength(2);
			for (const word of ["end", "left"]) expect(seen).toContain(word);
			for (const word of ["reached", "scripted-key-not-secret", "closed-file-content"])
				expect(seen).not.toContain(word);
			expect(hits).toBe(0);
			for (const path of [join(home.home, ".bashrc"), "/etc/tried"]) expect(existsSync(path)).toBe(false);
			const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
			expect(processes).not.toContain(`sleep ${sleep}`);
		} finally {
			server.close();
		}
	});
});

describe.skipIf(!hasLayers)("try_command", () => {
	it("is not there unless the user's own file says so, whatever the project's says", async () => {
		const { result, seen } = await test("loop", () => [finalize("Planned.")], {
			subagents: {},
			ofProject: { tryCommands: true },
		});
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.notGranted).toBeUndefined();
		expect(result.details.tried).toBeUndefined();
		expect(seen).not.toContain("try_command");
		expect(seen).not.toContain("You do have a shell");
	});

	it("is not given to the offline navigator, which is not taken for a writer either", async () => {
		home = createTestHome({ "add.js": "exports.add = (a, b) => a - b;\n" });
		home.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ subagents: { tryCommands: true } }),
		);
		const result = await delegate(
			{ agent: "tester", task: "Plan tests for add" },
			{ cwd: home.project, env: home.env, offline: true, runtime: "loop" },
		);
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.notGranted).toEqual(["try_command"]);
	});
});
