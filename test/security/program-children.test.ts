import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import {
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

// Children that are other agents, without a sandbox of ours: Claude Code's own rules are all there is.

/** Names that mean something else where a path is taken for a pattern. No one of them covers another. */
const CLOSED = [
	"a[b]c",
	"d(e)f",
	"g h",
	"i*j",
	"k\\l",
	"!m",
	"#n",
	"o ",
	"p{q,r}",
	"s?t",
	"u)",
	"~",
	"$HOME",
];
const DEEP = ["a[b]c/.hidden", "a[b]c/ignored.txt", "a[b]c/1/2/3/4/5/6/7/8/9/deep.txt"];
const SECRET = "CLOSED-BY-THE-USER";
const OPEN = "export function registerAuth() {}";

let home: TestHome;
let provider: ScriptedProvider | undefined;
afterEach(async () => {
	await provider?.close();
	home.remove();
});

type Call = NonNullable<ScriptedTurn["calls"]>[number];

function listClaudeCalls(): readonly Call[] {
	const read = (path: string): Call => ({ name: "Read", args: { file_path: path } });
	const grep = (args: Record<string, unknown>): Call => ({
		name: "Grep",
		args: { pattern: `${SECRET}|not-secret`, output_mode: "content", ...args },
	});
	const inProject = (path: string): string => join(home.project, path);
	return [
		...CLOSED.map((name) => read(inProject(join(name, "key.txt")))),
		...[...DEEP, "linked/key.txt", "keys/id_rsa", "notes.md", "environ"].map((path) => read(inProject(path))),
		...["/proc/self/environ", join(home.home, ".ssh/id_rsa")].map(read),
		...[{}, { glob: "**/key.txt" }, { glob: "../home/**" }, { glob: "* --follow" }, { path: "-L" }].map(grep),
		...["a[b]c/key.txt", "linked", "keys", "environ"].map((path) => grep({ path: inProject(path) })),
		...[home.home, "/proc/self", join(home.agentDirectory, "deputize", "runs")].map((path) => grep({ path })),
	];
}

function listCodexCalls(): readonly Call[] {
	const paths = [...CLOSED.map((name) => `${name}/key.txt`), ...DEEP].map((path) => `'${path}'`).join(" ");
	return [
		{ name: "exec_command", args: { cmd: `cat ${paths} linked/key.txt keys/id_rsa notes.md; echo looked` } },
		{ name: "exec_command", args: { cmd: `grep -r ${SECRET.slice(1)} . ../home; echo looked` } },
	];
}

it.each([
	["claude", listClaudeCalls],
	["codex", listCodexCalls],
] as const)(
	"a child of %s opens nothing closed, whatever its name and by no link",
	async (name, listCalls) => {
		const row = RUNTIME_ROWS[name];
		home = createTestHome({ "src/auth.ts": `${OPEN}\n` });
		for (const closed of CLOSED) home.write(join(closed, "key.txt"), `${SECRET}\n`);
		for (const deep of DEEP) home.write(deep, `${SECRET}\n`);
		home.write(".gitignore", "ignored.txt\n");
		const key = home.write(join(home.home, ".ssh", "id_rsa"), `${SECRET}\n`);
		const links = { keys: join(key, ".."), "notes.md": key, environ: "/proc/self/environ", linked: "a[b]c" };
		for (const [link, target] of Object.entries(links)) symlinkSync(target, join(home.project, link));
		const unreadable = CLOSED.map((closed) => join(home.project, closed));
		home.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ subagents: { sandbox: "off", unreadable } }),
		);
		const calls = [row.read(home, "src/auth.ts"), ...listCalls()];
		const turns = calls.map((call) => ({ calls: [call] }));
		provider = await startScriptedProvider(
			[...turns, row.handOver({ status: "SUCCESS", result: "done" })],
			row.api,
		);
		const result = await delegate({ agent: "explorer", task: "Look" }, row.configure(home, provider));
		expect(result.details.error).toBeUndefined();
		const said = provider.requests();
		expect(said).toHaveLength(calls.length + 1);
		expect(said[1]?.includes(OPEN)).toBe(true);
		// The calls themselves name what they look for.
		const answers = said.join("\n").replaceAll(`${SECRET}|not-secret`, "");
		// Not compared as texts: on failure these are megabytes.
		expect(answers.includes(SECRET)).toBe(false);
		expect(answers.includes("scripted-key-not-secret")).toBe(false);
	},
	60_000,
);
