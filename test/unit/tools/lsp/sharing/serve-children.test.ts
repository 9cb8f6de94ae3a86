import { chmodSync, existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LspTool } from "../../../../../src/tools/lsp/create-lsp-tool.ts";
import {
	type ChildrenService,
	serveLspToChildren,
} from "../../../../../src/tools/lsp/sharing/serve-children.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	isGone,
	type LspWorkspace,
	readFakeLog,
	startedServers,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let log: string;
let parent: LspTool;
let service: ChildrenService;
const children: LspTool[] = [];

async function startParent(behaviour = "well"): Promise<void> {
	parent = createTestTool({ config: { ...fakeServerConfig(behaviour, log), allowMutatingActions: true } });
	service = await serveLspToChildren(parent, {
		directory: join(workspace.directory, "run"),
		cwd: workspace.directory,
	});
}

function createChild(options: { token?: string; allowedActions?: string[]; ownLog?: string } = {}): LspTool {
	const child = createTestTool({
		mode: "child",
		socketPath: service.socketPath,
		socketToken: options.token ?? service.token,
		config: fakeServerConfig("well", options.ownLog ?? join(workspace.directory, "child.log")),
		...(options.allowedActions === undefined ? {} : { allowedActions: options.allowedActions }),
	});
	children.push(child);
	return child;
}

/** What somebody gets who speaks to the socket without our client. */
function speak(line: string): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(service.socketPath, () => socket.write(`${line}\n`));
		let answer = "";
		socket.on("data", (chunk) => {
			answer += chunk;
		});
		socket.on("close", () => resolve(answer));
		socket.on("error", () => resolve(answer));
	});
}

beforeEach(() => {
	workspace = createWorkspace();
	log = join(workspace.directory, "server.log");
	workspace.write("a.fake", "define area\nuse area\n");
});
afterEach(async () => {
	await service.close();
	await Promise.all([parent, ...children.splice(0)].map((tool) => tool.close()));
	for (const pid of startedServers(log)) expect(isGone(pid)).toBe(true);
	workspace.remove();
});

const references = { action: "references", file: "a.fake", query: "area" };

describe("children of one parent", () => {
	it("share its servers and get the same answers", async () => {
		await startParent();
		const own = await callLsp(parent, workspace, references);
		const answers = await Promise.all([1, 2, 3].map(() => callLsp(createChild(), workspace, references)));
		for (const answer of answers) expect(answer).toEqual(own);
		expect(startedServers(log)).toHaveLength(1);
		expect(existsSync(join(workspace.directory, "child.log"))).toBe(false);
	});

	it("are refused what changes something, by themselves and by the parent", async () => {
		await startParent();
		const outcome = await callLsp(createChild(), workspace, {
			...references,
			action: "rename",
			newName: "x",
		});
		expect(outcome.text).toMatch(/LSP_ACTION_NOT_ALLOWED/);
		for (const action of ["rename", "codeAction", "restart"]) {
			const input = { action, file: "a.fake", line: 1, column: 8, newName: "x", apply: true };
			const raw = await speak(JSON.stringify({ token: service.token, cwd: workspace.directory, input }));
			expect(raw).toMatch(/never available in a subagent/);
		}
		expect(startedServers(log)).toEqual([]);
	});

	it("cancel in the parent what they give up", async () => {
		await startParent("never-answers");
		const impatient = new AbortController();
		const answer = callLsp(createChild(), workspace, references, impatient.signal);
		await expect
			.poll(() => readFakeLog(log).map(({ method }) => method))
			.toContain("textDocument/documentSymbol");
		impatient.abort();
		expect((await answer).details["cancelled"]).toBe(true);
		await expect.poll(() => readFakeLog(log).map(({ method }) => method)).toContain("$/cancelRequest");
	});
});

describe("anybody else", () => {
	it("finds a private directory and a private socket", async () => {
		await startParent();
		expect(statSync(dirname(service.socketPath)).mode & 0o777).toBe(0o700);
		expect(statSync(service.socketPath).mode & 0o777).toBe(0o600);
	});

	it("is made private when the directory was not", async () => {
		await startParent();
		const directory = join(workspace.directory, "open");
		workspace.write("open/x", "");
		chmodSync(directory, 0o755);
		const second = await serveLspToChildren(parent, { directory });
		expect(statSync(directory).mode & 0o777).toBe(0o700);
		await second.close();
		expect(existsSync(second.socketPath)).toBe(false);
	});

	it.each([
		["a wrong token", (cwd: string) => ({ token: "x".repeat(43), cwd, input: { action: "servers" } })],
		["no token", (cwd: string) => ({ cwd, input: { action: "servers" } })],
		["another directory", () => ({ token: service.token, cwd: "/", input: { action: "servers" } })],
		["a relative directory", () => ({ token: service.token, cwd: ".", input: { action: "servers" } })],
	])("is refused with %s", async (_name, question) => {
		await startParent();
		expect(await speak(JSON.stringify(question(workspace.directory)))).toMatch(/^\{"kind":"refused"/);
	});

	it("is refused without a question, and cut off when it talks without end", async () => {
		await startParent();
		expect(await speak("hello")).toMatch(/^\{"kind":"refused"/);
		expect(await speak("x".repeat(2 * 1024 * 1024))).toBe("");
	});
});

describe("a long directory", () => {
	it("gets a socket in a short private one", async () => {
		await startParent();
		const second = await serveLspToChildren(parent, {
			directory: join(workspace.directory, "x".repeat(120)),
		});
		expect(statSync(dirname(second.socketPath)).mode & 0o777).toBe(0o700);
		await second.close();
		expect(existsSync(dirname(second.socketPath))).toBe(false);
	});
});
