import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	createPiProject,
	type PiProject,
	type PiProjectServer,
	readChildSocket,
	reportsIn,
	talkToSocket,
} from "../helpers/lsp-pi-project.ts";
import { createPiHome, type PiHome, type PiHomeConfig } from "../helpers/pi-door-home.ts";
import { type JsonRun, runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { demandInstalled, isLeftOut, NEWER_PI, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider;
let home: PiHome;
let project: PiProject;

afterEach(async () => {
	await provider.close();
	const left = listProcessesOf(home.root);
	home.remove();
	expect(left, "processes left behind").toEqual([]);
});

let piScript = "";
let server: PiProjectServer;

async function run(
	config: PiHomeConfig,
	script: (request: ScriptedRequest) => ScriptedTurn,
	args: readonly string[] = [],
): Promise<JsonRun> {
	provider = await startScriptedProvider(script);
	home = createPiHome(provider.baseUrl, { config });
	project = createPiProject(home, server);
	const finished = await runPiJson(home, "go", { args, env: project.env, script: piScript });
	expect(finished.exitCode, finished.stderr).toBe(0);
	return finished;
}

const MAIN = 'import { area } from "./area";\n\nexport const old: string = 1;\n';
const write = (line: string): ScriptedTurn => ({
	calls: [{ name: "write", arguments: { path: "src/main.ts", content: `${MAIN}${line}\n` } }],
});
const edit = (oldText: string, newText: string): ScriptedTurn => ({
	calls: [{ name: "edit", arguments: { path: "src/main.ts", edits: [{ oldText, newText }] } }],
});
const say = (text: string): ScriptedTurn => ({ text });
/** One turn after the other, and the last one for ever. */
const follow =
	(...turns: readonly ScriptedTurn[]) =>
	({ turn }: ScriptedRequest): ScriptedTurn =>
		turns[Math.min(turn, turns.length - 1)] ?? say("Done.");

describe.each(PI_VERSIONS.filter((pi) => !isLeftOut(pi)))("pi $version", (pi) => {
	beforeAll(() => {
		demandInstalled(pi);
		piScript = pi.script;
	});
	beforeEach(() => {
		// What servers answer is tested without pi.
		server = "typescript-7";
	});
	/** The other kind of server is seen once for each direction: what it reports, and what it changes. */
	const useOtherServer = (): void => {
		if (pi !== NEWER_PI) server = "typescript-language-server";
	};

	describe("problems after edits, at the end of the agent's work", () => {
		const config = { lsp: { hook: "agent_end" } };

		it("reach the model when they are new, and nothing is said once they are mended", async () => {
			useOtherServer();
			await run(
				config,
				follow(
					edit("area(2)", 'area("2")'),
					say("Done."),
					write("export const size = area(2);"),
					say("Mended."),
				),
			);
			expect(provider.requests).toHaveLength(4);
			const [first, second, third, last] = provider.requests.map(reportsIn);
			expect([first, second]).toEqual([[], []]);
			expect(third).toHaveLength(1);
			expect(third?.[0]).toContain("New since these edits: 1 error");
			expect(third?.[0]).toContain("src/main.ts");
			expect(third?.[0]).toMatch(/4:26 {2}error \[(?:typescript|ts) 2345\] Argument of type 'string'/);
			expect(third?.[0]).not.toContain("2322");
			expect(last).toEqual(third);
		});

		it("are said once to a model that cannot mend them", async () => {
			await run(config, follow(write('export const size = area("2");'), say("I give up.")));
			expect(provider.requests).toHaveLength(3);
			expect(reportsIn(provider.requests.at(-1))).toHaveLength(1);
		});

		it("do not keep an agent running that makes a new one each time", async () => {
			await run(config, ({ turn }) =>
				turn % 2 === 0 ? write(`export const size${turn} = area("${turn}");`) : say("Now it is right."),
			);
			expect(reportsIn(provider.requests.at(-1))).toHaveLength(2);
			expect(provider.requests).toHaveLength(6);
		});
	});

	describe("problems after edits, with each edit", () => {
		it("stand in the result of the tool that made them, and nothing in that of the one that mends them", async () => {
			const finished = await run(
				{ lsp: { hook: "edit_write" } },
				follow(edit("area(2)", 'area("2")'), write("export const size = area(2);"), say("Done.")),
			);
			const textOf = (name: string) =>
				toolEnds(finished, name)[0]
					?.result.content.map(({ text }) => text)
					.join("\n");
			expect(textOf("edit")).toContain("New since these edits: 1 error");
			expect(textOf("edit")).not.toContain("2322");
			expect(textOf("write")).not.toContain("New since these edits");
			expect(provider.requests).toHaveLength(3);
			expect(reportsIn(provider.requests[1])).toHaveLength(1);
		});
	});

	describe("problems after edits, by default", () => {
		it("are not looked for: no report and no server", async () => {
			await run({ lsp: { sandbox: "off" } }, follow(write('export const size = area("2");'), say("Done.")));
			expect(provider.requests).toHaveLength(2);
			expect(reportsIn(provider.requests.at(-1))).toEqual([]);
			expect(project.startedServers()).toBe(0);
		});
	});

	describe("rename and code actions of the main agent", () => {
		const rename = (apply: boolean): ScriptedTurn => ({
			calls: [{ name: "lsp", arguments: { action: "rename", query: "area", newName: "surface", apply } }],
		});
		const tools = ["--tools", "read,lsp"];

		it("show the diff and write nothing without permission", async () => {
			const finished = await run({}, follow(rename(false), rename(true), say("Done.")), tools);
			const [shown, refused] = toolEnds(finished, "lsp");
			expect(shown?.isError).toBe(false);
			expect(shown?.result.content[0]?.text).toContain("+export function surface(width: number)");
			expect(refused?.result.content[0]?.text).toContain("lsp.allowMutatingActions");
			expect(project.read("src/area.ts")).toContain("function area(");
			expect(project.read("src/main.ts")).toContain("area(2)");
		});

		it("write every file with permission", async () => {
			useOtherServer();
			const finished = await run(
				{ lsp: { allowMutatingActions: true } },
				follow(rename(true), say("Done.")),
				tools,
			);
			expect(toolEnds(finished, "lsp")[0]?.isError).toBe(false);
			expect(project.read("src/area.ts")).toContain("export function surface(width: number)");
			expect(project.read("src/main.ts")).toBe(
				'import { surface } from "./area";\n\nexport const old: string = 1;\nexport const size = surface(2);\n',
			);
		});

		it("lose no edit that pi's own tool makes to one of the files at the same time", async () => {
			const both: ScriptedTurn = {
				calls: [
					...(edit("export const old", "export const older").calls ?? []),
					...(rename(true).calls ?? []),
				],
			};
			const warm: ScriptedTurn = {
				calls: [{ name: "lsp", arguments: { action: "definition", query: "area" } }],
			};
			const finished = await run(
				{ lsp: { allowMutatingActions: true } },
				follow(warm, both, rename(true), say("Done.")),
				["--tools", "read,lsp,edit"],
			);
			expect(toolEnds(finished, "edit")[0]?.isError).toBe(false);
			// The first rename was made for the text before or after the edit; in either case nothing is mixed up.
			expect(project.read("src/main.ts")).toBe(
				'import { surface } from "./area";\n\nexport const older: string = 1;\nexport const size = surface(2);\n',
			);
			expect(project.read("src/area.ts")).toContain("function surface(");
		});

		it("apply a code action to the file", async () => {
			const action = (title?: string): ScriptedTurn => ({
				calls: [
					{
						name: "lsp",
						arguments: {
							action: "codeAction",
							file: "src/main.ts",
							line: 4,
							...(title === undefined ? {} : { title, apply: true }),
						},
					},
				],
			});
			const finished = await run(
				{ lsp: { allowMutatingActions: true } },
				follow(
					{
						calls: [
							{
								name: "write",
								arguments: { path: "src/main.ts", content: "\n\n\nexport const size = area(2);\n" },
							},
						],
					},
					action(),
					action('Add import from "./area"'),
					say("Done."),
				),
				["--tools", "read,write,lsp"],
			);
			const [listed, applied] = toolEnds(finished, "lsp");
			expect(listed?.result.content[0]?.text).toContain('Add import from "./area"');
			expect(applied?.isError, applied?.result.content[0]?.text).toBe(false);
			expect(project.read("src/main.ts")).toContain('import { area } from "./area"');
		});
	});

	describe("children of a pi parent", () => {
		const handOver: ScriptedTurn = {
			calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Found." } }],
		};
		const delegate: ScriptedTurn = {
			calls: [{ name: "subagent", arguments: { agent: "explorer", task: "Where is area defined?" } }],
		};
		const definition: ScriptedTurn = {
			calls: [{ name: "lsp", arguments: { action: "definition", file: "src/main.ts", line: 4, column: 21 } }],
		};

		it("share one server: the second one's first definition is answered by the one the first has warmed", async () => {
			// In a box of its own the server could not leave the note that is counted here.
			await run({ lsp: { sandbox: "off" } }, (request) => {
				if (!request.isChild) return follow(delegate, delegate, say("Done."))(request);
				return follow(definition, handOver)(request);
			});
			const answers = provider.requests
				.filter(({ isChild, turn }) => isChild && turn === 1)
				.map(({ messages }) => JSON.stringify(messages.at(-1)));
			expect(answers).toHaveLength(2);
			for (const answer of answers)
				expect(answer).toContain("src/area.ts (1)\\n  1:17  export function area(");
			expect(project.startedServers()).toBe(1);
		});

		it("are the only ones who are answered, only about the project, and only what changes nothing", async () => {
			const heard: string[] = [];
			const listenIn = async (): Promise<void> => {
				const socket = readChildSocket(home);
				if (socket === undefined) throw new Error("the child was given no socket");
				const ask = async (message: object) => {
					const question = {
						token: socket.token,
						cwd: home.project,
						input: { action: "servers" },
						...message,
					};
					heard.push(await talkToSocket(socket.path, question));
				};
				await ask({ token: "a stranger's" });
				await ask({ cwd: home.home });
				await ask({ input: { action: "rename", query: "area", newName: "surface", apply: true } });
				await ask({});
			};
			await run({ lsp: { allowMutatingActions: true } }, (request) => {
				if (!request.isChild) return follow(delegate, say("Done."))(request);
				return request.turn === 0 ? { ...definition, after: listenIn() } : handOver;
			});
			expect(heard).toHaveLength(4);
			expect(heard[0]).toContain("wrong token");
			expect(heard[1]).toContain("another working directory");
			expect(heard[2]).toContain("LSP_ACTION_NOT_ALLOWED");
			expect(heard[3]).toContain("typescript");
			expect(project.read("src/area.ts")).toContain("function area(");
		});
	});
});
