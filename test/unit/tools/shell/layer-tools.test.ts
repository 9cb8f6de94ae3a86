import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../src/contract/config.ts";
import type { ToolOutcome } from "../../../../src/contract/tool.ts";
import { probeSandbox } from "../../../../src/sandbox/probe-sandbox.ts";
import type { Workspace } from "../../../../src/sandbox/workspace.ts";
import { createToolbox } from "../../../../src/toolbox/create-toolbox.ts";
import { LAYER_TOOL_NAMES } from "../../../../src/toolbox/tool-rows.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

const probe = await probeSandbox({ env: process.env });
let home: TestHome;
let secret: string;

beforeAll(() => {
	home = createTestHome({ "src/a.ts": "one\ntwo\nthree\n" });
	secret = home.write(join(home.agentDirectory, "auth.json"), "the key of a model");
	home.write(join(home.home, "outside.txt"), "not of the project");
});
afterAll(() => home.remove());

function openToolbox(workspace: Partial<Workspace> | undefined, missing: string[] = []) {
	return createToolbox({
		...{ cwd: home.project, home: home.home, agentDirectory: home.agentDirectory },
		env: { ...home.env, MODEL_API_KEY: "the key of a model" },
		...{ storeDirectory: () => home.home, temporaryDirectory: () => join(home.home, "run") },
		config: () => DEFAULT_CONFIG,
		lsp: { mode: "child", allowedActions: [], projectTrusted: false },
		onMissing: (name, why) => missing.push(`${name}: ${why}`),
		workspace: workspace && {
			...{ root: home.project, network: false, hidden: [home.agentDirectory], memoryMb: 512 },
			...(probe.works ? { sandbox: probe.sandbox } : {}),
			...workspace,
		},
	});
}

async function call(name: string, input: object, workspace: Partial<Workspace> = {}): Promise<ToolOutcome> {
	const [tool] = await openToolbox(workspace).open([name]);
	if (tool === undefined) throw new Error(`${name} is not offered.`);
	return tool.execute(input, { cwd: home.project, signal: new AbortController().signal });
}

describe("tools that change files", () => {
	it("exist only in a layer, and commands only in a sandbox", async () => {
		const missing: string[] = [];
		expect(await openToolbox(undefined, missing).open(LAYER_TOOL_NAMES)).toEqual([]);
		expect(missing.map((line) => line.split(":")[0]).sort()).toEqual([
			"bash",
			"edit",
			"try_command",
			"write",
		]);
		const noSandbox = { root: home.project, network: false, hidden: [], memoryMb: 512 };
		const toolbox = createToolbox({
			...{ cwd: home.project, home: home.home, agentDirectory: home.agentDirectory, env: home.env },
			...{ storeDirectory: () => home.home, temporaryDirectory: () => home.home },
			config: () => DEFAULT_CONFIG,
			lsp: { mode: "child", allowedActions: [], projectTrusted: false },
			workspace: noSandbox,
		});
		const opened = await toolbox.open(LAYER_TOOL_NAMES);
		expect(opened.map(({ name }) => name)).toEqual(["edit", "write"]);
	});

	it("write makes directories, and the mode is the user's", async () => {
		const { isError } = await call("write", { path: "new/deep/b.ts", content: "x" });
		expect(isError).toBe(false);
		const file = join(home.project, "new/deep/b.ts");
		expect(readFileSync(file, "utf8")).toBe("x");
		expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask());
	});

	it("a shorter content leaves nothing of the old one", async () => {
		await call("write", { path: "c.txt", content: "long content" });
		await call("write", { path: "c.txt", content: "short" });
		expect(readFileSync(join(home.project, "c.txt"), "utf8")).toBe("short");
	});

	it.each([
		["a path outside", () => join(home.home, "outside.txt")],
		["a way up", () => "../home/outside.txt"],
		["the project itself", () => "."],
	])("write refuses %s", async (_, path) => {
		const { text, isError } = await call("write", { path: path(), content: "changed" });
		expect({ text, isError }).toMatchObject({ isError: true, text: expect.stringMatching(/^FILE_/) });
		expect(readFileSync(join(home.home, "outside.txt"), "utf8")).toBe("not of the project");
	});

	it("neither write nor edit goes through a link that leads out", async () => {
		symlinkSync(join(home.home, "outside.txt"), join(home.project, "link.txt"));
		symlinkSync(home.home, join(home.project, "linked"));
		symlinkSync(join(home.home, "made.txt"), join(home.project, "nowhere.txt"));
		for (const path of ["link.txt", "linked/outside.txt", "nowhere.txt", "linked/new.txt"]) {
			expect((await call("write", { path, content: "changed" })).text).toMatch(/^FILE_CLOSED/);
		}
		const edits = [{ oldText: "not", newText: "all" }];
		expect((await call("edit", { path: "link.txt", edits })).text).toMatch(/^FILE_CLOSED/);
		expect(readFileSync(join(home.home, "outside.txt"), "utf8")).toBe("not of the project");
		expect(existsSync(join(home.home, "made.txt")) || existsSync(join(home.home, "new.txt"))).toBe(false);
	});

	it("edit makes every edit against the text as it was", async () => {
		const edits = [
			{ oldText: "two", newText: "three" },
			{ oldText: "one", newText: "two" },
		];
		expect((await call("edit", { path: "src/a.ts", edits })).isError).toBe(false);
		expect(readFileSync(join(home.project, "src/a.ts"), "utf8")).toBe("two\nthree\nthree\n");
	});

	it.each([
		["what is not there", [{ oldText: "four", newText: "" }], "was not found"],
		["what is there twice", [{ oldText: "a", newText: "b" }], "more than once"],
		[
			"what overlaps",
			[
				{ oldText: "ab", newText: "" },
				{ oldText: "bc", newText: "" },
			],
			"overlap",
		],
		["what changes nothing", [{ oldText: "abc", newText: "abc" }], "change nothing"],
	])("edit refuses %s and writes nothing", async (_, edits, words) => {
		home.write("d.txt", "abc\nxa\n");
		const { text, isError } = await call("edit", { path: "d.txt", edits });
		expect(isError).toBe(true);
		expect(text).toContain(words);
		expect(readFileSync(join(home.project, "d.txt"), "utf8")).toBe("abc\nxa\n");
	});

	it("edit keeps line ends, and leaves alone what is not UTF-8", async () => {
		home.write("e.txt", "one\r\ntwo\r\n");
		await call("edit", { path: "e.txt", edits: [{ oldText: "one\ntwo", newText: "1\n2" }] });
		expect(readFileSync(join(home.project, "e.txt"), "utf8")).toBe("1\r\n2\r\n");
		const latin = join(home.project, "latin.txt");
		writeFileSync(latin, Buffer.from([0x63, 0xe9, 0x0a]));
		const { text } = await call("edit", { path: "latin.txt", edits: [{ oldText: "c", newText: "d" }] });
		expect(text).toContain("not text in UTF-8");
		expect(readFileSync(latin)).toEqual(Buffer.from([0x63, 0xe9, 0x0a]));
	});
});

describe.skipIf(!probe.works)("commands", () => {
	it("change the project, and say how they ended", async () => {
		const { text, details, isError } = await call("bash", { command: "echo out; echo err >&2; touch made" });
		expect({ text, details, isError }).toEqual({
			...{ text: "out\nerr", details: { exitCode: 0 }, isError: false },
		});
		expect(existsSync(join(home.project, "made"))).toBe(true);
		const failed = await call("bash", { command: "echo no; exit 7" });
		expect(failed).toMatchObject({ details: { exitCode: 7 }, isError: true });
		expect(failed.text).toBe("no\n\nCommand exited with code 7");
		expect((await call("bash", { command: "if" })).text).toContain("syntax error");
	});

	it("write nowhere else, see no key and nothing of the child's program", async () => {
		const { text } = await call("bash", {
			command: `echo x > ${join(home.home, "outside.txt")}; echo x > /usr/x; cat ${secret}; env | grep KEY; echo x > /tmp/of-its-own && echo temporary`,
		});
		expect(text).toContain("Read-only file system");
		expect(text).not.toContain("the key of a model");
		expect(text).toContain("temporary");
		expect(readFileSync(join(home.home, "outside.txt"), "utf8")).toBe("not of the project");
		expect(existsSync("/tmp/of-its-own")).toBe(false);
	});

	it("reach no server of this machine unless they may, and have a loopback of their own", async () => {
		const server = createServer((socket) => socket.end("hello"));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const address = server.address();
		if (address === null || typeof address === "string") throw new Error("The server has no port.");
		const command = `exec 3<>/dev/tcp/127.0.0.1/${address.port} && cat <&3`;
		const own = `node -e 'const s = require("net").createServer(c => c.end("own")).listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").on("data", d => { console.log(String(d)); process.exit() }))'`;
		try {
			expect(await call("bash", { command })).toMatchObject({ isError: true });
			expect((await call("bash", { command: own })).text).toBe("own");
			expect((await call("bash", { command }, { network: true })).text).toBe("hello");
		} finally {
			server.close();
		}
	});

	it("are ended at their limits, with everything they started", async () => {
		const slow = await call("bash", { command: "echo begun; sleep 60 & sleep 60", timeout: 1 });
		expect(slow).toMatchObject({ isError: true, details: { exitCode: null } });
		expect(slow.text).toMatch(/^COMMAND_TIMEOUT: .*\n\nbegun/);
		const loud = await call("bash", { command: "yes" });
		expect(loud.text).toMatch(/^COMMAND_OUTPUT: /);
		expect(Buffer.byteLength(loud.text)).toBeLessThan(60 * 1024);
		const command = `node -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(64e6, 1)), 20)'`;
		expect((await call("bash", { command }, { memoryMb: 256 })).text).toMatch(/^COMMAND_MEMORY: /);
	});

	it("leave nothing running behind", async () => {
		mkdirSync(join(home.project, "late"), { recursive: true });
		await call("bash", { command: "(sleep 0.5; touch late/done) & disown; echo ended" });
		await new Promise((resolve) => setTimeout(resolve, 800));
		expect(existsSync(join(home.project, "late/done"))).toBe(false);
	});

	it("show the end of a long output", async () => {
		const { text } = await call("bash", { command: "seq 1 5000" });
		expect(text.startsWith("3001\n")).toBe(true);
		expect(text.endsWith("5000\n\n[Showing the last 2000 of 5000 lines]")).toBe(true);
	});
});
