import { existsSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import { type ChildrenService, serveLspToChildren } from "../../src/tools/lsp/sharing/serve-children.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	type LspWorkspace,
	placesOf,
	startedServers,
} from "../helpers/lsp-workspace.ts";

// Review of 5305cef, C1: a granted socket that refused, was slow or gone made the child start servers of its own.

let workspace: LspWorkspace;
let ownLog: string;
let parentLog: string;
let parent: LspTool;
let service: ChildrenService;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
	workspace = createWorkspace();
	ownLog = join(workspace.directory, "own.log");
	parentLog = join(workspace.directory, "parent.log");
	workspace.write("a.fake", "define area\nuse area\n");
	parent = createTestTool({ config: fakeServerConfig("well", parentLog) });
	service = await serveLspToChildren(parent, {
		directory: join(workspace.directory, "run"),
		cwd: workspace.directory,
	});
	closing.push(() => service.close(), parent.close);
});
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	workspace.remove();
});

function createChild(socketPath: string, socketToken: string): LspTool {
	const child = createTestTool({
		mode: "child",
		socketPath,
		socketToken,
		config: { ...fakeServerConfig("well", ownLog), requestTimeoutMs: 200 },
	});
	closing.push(child.close);
	return child;
}

const references = { action: "references", file: "a.fake", query: "area" };

async function expectError(child: LspTool, message: RegExp): Promise<void> {
	const outcome = await callLsp(child, workspace, references);
	expect(outcome).toMatchObject({ isError: true, details: { error: { code: "LSP_PARENT_UNREACHABLE" } } });
	expect(outcome.text).toMatch(message);
	expect(existsSync(ownLog)).toBe(false);
}

async function listen(server: Server): Promise<string> {
	const path = join(workspace.directory, "other.sock");
	await new Promise<void>((resolve) => server.listen(path, resolve));
	closing.push(() => server.close());
	return path;
}

describe("a granted socket", () => {
	it("that is gone is an error of the call", async () => {
		const child = createChild(service.socketPath, service.token);
		await service.close();
		await expectError(child, /cannot be reached/);
	});

	it("that refuses is an error of the call", async () => {
		await expectError(createChild(service.socketPath, "wrong"), /refused: wrong token/);
	});

	it("that hangs up is an error of the call", async () => {
		const path = await listen(createServer((socket) => socket.destroy()));
		await expectError(createChild(path, "t"), /closed the connection|cannot be reached/);
	});

	it("that says nothing is an error of the call", async () => {
		const path = await listen(createServer((socket) => socket.on("error", () => undefined).resume()));
		await expectError(createChild(path, "t"), /did not answer within/);
	});

	it("that talks nonsense is an error of the call", async () => {
		const path = await listen(createServer((socket) => socket.end("{}\n")));
		await expectError(createChild(path, "t"), /not an answer/);
	});

	it("serves 80 calls of one message in turn, all of them from the parent's one server", async () => {
		const child = createChild(service.socketPath, service.token);
		await callLsp(parent, workspace, references);
		const outcomes = await Promise.all(
			Array.from({ length: 80 }, () => callLsp(child, workspace, references)),
		);
		for (const outcome of outcomes) expect(placesOf(outcome)).toHaveLength(2);
		expect(startedServers(parentLog)).toHaveLength(1);
		expect(existsSync(ownLog)).toBe(false);
	});

	it("lets a call that waits for its turn be cancelled", async () => {
		const path = await listen(createServer((socket) => socket.on("error", () => undefined).resume()));
		const child = createChild(path, "t");
		const impatient = new AbortController();
		const outcomes = Array.from({ length: 20 }, () =>
			callLsp(child, workspace, references, impatient.signal),
		);
		impatient.abort();
		for (const outcome of await Promise.all(outcomes)) expect(outcome.details["cancelled"]).toBe(true);
	});
});
