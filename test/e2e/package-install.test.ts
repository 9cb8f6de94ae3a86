import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needPeer, PEER_MODULES } from "../helpers/lsp-workspace.ts";
import { packPackage } from "../helpers/pack-package.ts";
import { createPiHome, MODEL, PI_SCRIPT, type PiHome } from "../helpers/pi-door-home.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { type CliRun, runProgram } from "../helpers/run-cli.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const INSTALL_TIMEOUT_MS = 300_000;
/** What pi's loader transforms at every start. */
const MAX_EXTENSION_BYTES = 4096;

const CALLS = (origin: string) => [
	{ name: "convert_content", arguments: { path: "table.csv" } },
	{ name: "web_search", arguments: { query: "boiling kettles" } },
	{ name: "fetch_content", arguments: { url: `${origin}/kettle` } },
	{ name: "lsp", arguments: { action: "definition", file: "src/main.ts", line: 3, column: 2 } },
];

let home: PiHome;
let provider: ScriptedProvider;
let site: Server;
let origin: string;
/** A project of a user who installed the package from the registry. */
let project: string;

beforeAll(async () => {
	site = createServer((_request, response) => {
		const text = "The lid of a kettle must be closed. ".repeat(20);
		response.writeHead(200, { "content-type": "text/html" });
		response.end(`<!doctype html><title>Kettle</title><main><h1>Kettle</h1><p>${text}</p></main>`);
	});
	await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
	origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	provider = await startScriptedProvider(({ isChild, turn }) => {
		if (!isChild) return { text: "Hello from the model." };
		const call = CALLS(origin)[turn];
		const result = "All of it works.";
		return {
			calls: [call ?? { name: "subagent_finalize", arguments: { status: "SUCCESS", result } }],
		};
	});
	home = createPiHome(provider.baseUrl, {
		config: { web: { allowPrivateNetwork: true, provider: "local" } },
	});
	project = join(home.root, "user");
	home.write("user/package.json", '{ "private": true, "type": "module" }');
	const npm = ["install", "--no-audit", "--no-fund", "--prefer-offline", await packPackage()];
	execFileSync("npm", npm, { cwd: project, stdio: "pipe" });
}, INSTALL_TIMEOUT_MS);

afterAll(async () => {
	await provider.close();
	site.closeAllConnections();
	await new Promise((done) => site.close(done));
	const left = listProcessesOf(home.root);
	home.remove();
	expect(left, "processes left behind").toEqual([]);
});

const installed = (...path: readonly string[]): string => join(project, "node_modules", ...path);

function run(args: readonly string[], input = ""): Promise<CliRun> {
	return runProgram(installed(".bin", "deputize"), args, {
		cwd: home.project,
		env: { ...home.env, PI_SUBAGENT_PI_BINARY: PI_SCRIPT, PATH: `${PEER_MODULES}/.bin:${home.env["PATH"]}` },
		input,
	});
}

describe("the packed package, installed with npm", () => {
	it("is small: a few hundred files, and types only as far as the exports reach", () => {
		const files = readdirSync(installed("deputize"), { recursive: true, encoding: "utf8" });
		expect(files.filter((file) => file.endsWith(".js")).length).toBeLessThan(300);
		const types = files.filter((file) => file.endsWith(".d.ts"));
		expect(types.length).toBeLessThan(60);
		expect(types).toContain(join("dist", "types", "index.d.ts"));
		expect(files.filter((file) => file.startsWith("dist") && file.endsWith(".ts"))).toEqual(types);
	});

	it("gives pi's loader little to transform", () => {
		const dist = installed("deputize", "dist");
		const extensions = readdirSync(dist).filter((name) => name.endsWith("-extension.js"));
		expect(extensions).toHaveLength(4);
		for (const name of extensions) {
			expect(statSync(join(dist, name)).size).toBeLessThan(MAX_EXTENSION_BYTES);
			expect(readFileSync(join(dist, name), "utf8")).not.toMatch(/from "\.\//);
		}
	});

	it("brings the versions that were tested, of its dependencies' dependencies too", () => {
		const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
		const tree = JSON.parse(readFileSync(installed(".package-lock.json"), "utf8")) as Lock;
		const others = listVersions(tree).filter((name) => !name.startsWith("deputize@"));
		expect(others.length).toBeGreaterThan(50);
		const locked = new Set(listVersions(lock));
		const different = others.filter((name) => !locked.has(name));
		expect(different).toEqual([]);
	});

	it("lists agents", async () => {
		const { code, stdout } = await run(["agents"]);
		expect(code).toBe(0);
		expect(stdout).toContain("explorer");
	});

	it("answers offline without pi", async () => {
		home.write("project/kettle.ts", "export function boilKettle() {}\n");
		const { code, stdout } = await run(["run", "explorer", "Where is boilKettle?", "--runtime", "loop"]);
		expect(stdout).toContain("kettle.ts:1");
		expect(code).toBe(0);
	});

	it("runs without pi where there is none, and says so", async () => {
		home.write("project/kettle.ts", "export function boilKettle() {}\n");
		const { code, stdout, stderr } = await runProgram(
			installed(".bin", "deputize"),
			["run", "explorer", "Where is boilKettle?", "--offline"],
			{ cwd: home.project, env: { ...home.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` } },
		);
		expect(stderr).toContain("pi was not found: the agent runs without it");
		expect(stdout).toContain("kettle.ts:1");
		expect(code).toBe(0);
	});

	it("runs exec", async () => {
		const url = `${provider.baseUrl}/chat/completions`;
		const { code, stdout } = await run(
			["exec", "--plain"],
			JSON.stringify({ provider: "openai-chat", model: "m", url, prompt: "hi", tool_subset: [] }),
		);
		expect(stdout).toContain("Hello from the model.");
		expect(stdout).toContain("=== [ DONE ] ===");
		expect(code).toBe(0);
	});

	it.each([
		[
			"import",
			"import { delegate, discoverAgents } from 'deputize'; console.log(typeof delegate, typeof discoverAgents)",
		],
		[
			"require",
			"const { delegate, discoverAgents } = require('deputize'); console.log(typeof delegate, typeof discoverAgents)",
		],
	])("is a library for %s", async (kind, text) => {
		const file = join(project, kind === "import" ? "use.mjs" : "use.cjs");
		writeFileSync(file, text);
		const { stdout, stderr } = await runProgram(process.execPath, [file], { cwd: project, env: home.env });
		expect(stdout.trim()).toBe("function function");
		expect(stderr).toBe("");
	});

	it("converts, searches, fetches and asks a language server in a child of pi", async () => {
		needPeer(".bin/typescript-language-server");
		home.write("project/table.csv", "name,size\nalpha,1\n");
		home.write("project/README.md", "# Boiling\n\nAll about boiling kettles.\n");
		home.write("project/tsconfig.json", '{ "compilerOptions": { "types": [] }, "include": ["src"] }');
		home.write("project/src/auth.ts", "export function registerAuth() {}\n");
		home.write("project/src/main.ts", 'import { registerAuth } from "./auth";\n\nregisterAuth();\n');
		home.write(
			"home/.pi/agent/agents/worker.md",
			"---\nname: worker\ndescription: Works\ntools: convert_content, web_search, fetch_content, lsp\n---\nYou work.\n",
		);
		const { code, stdout, stderr } = await run(["run", "worker", "Use every tool", "--model", MODEL]);
		expect(stderr).not.toContain("failed");
		expect(stdout).toContain("All of it works.");
		expect(code).toBe(0);
		const told = JSON.stringify(provider.requests.at(-1)?.messages);
		expect(told).toContain("alpha");
		expect(told).toContain("All about boiling kettles.");
		expect(told).toContain("The lid of a kettle must be closed.");
		expect(told).toContain("src/auth.ts");
	});
});

const listVersions = ({ packages }: Lock): readonly string[] =>
	Object.entries(packages).map(
		([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`,
	);

interface Lock {
	readonly packages: Readonly<Record<string, { readonly version: string }>>;
}
