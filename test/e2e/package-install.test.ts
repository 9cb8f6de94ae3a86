import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	copyFileSync,
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needPeer, PEER_MODULES } from "../helpers/lsp-workspace.ts";
import { type NpmRegistry, startNpmRegistry } from "../helpers/npm-registry.ts";
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

/** What the child's model asks for, one after the other. */
let calls: readonly { readonly name: string; readonly arguments: object }[] = [];
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
		const call = calls[turn];
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
	it("is small with all that it depends on: at most 30 MB and 1,500 files", () => {
		const files = readdirSync(installed(), { recursive: true, withFileTypes: true }).filter((entry) =>
			entry.isFile(),
		);
		expect(files.length).toBeLessThan(1500);
		// As `du` counts: whole blocks.
		const blocks = files.reduce((sum, { parentPath, name }) => {
			const { size } = statSync(join(parentPath, name));
			return sum + Math.ceil(size / 4096);
		}, 0);
		expect((blocks * 4096) / 1_000_000).toBeLessThan(30);
	});

	it("has addresses, and pages whose links lead to a file of the package or to one of the repository", () => {
		const manifest = JSON.parse(readFileSync(installed("deputize", "package.json"), "utf8")) as {
			readonly repository: { readonly url: string };
			readonly homepage: string;
			readonly bugs: { readonly url: string };
		};
		const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
		expect(repository).toMatch(/^https:/);
		expect([manifest.homepage, manifest.bugs.url]).toEqual([`${repository}#readme`, `${repository}/issues`]);
		const pages = globSync("**/*.md", { cwd: installed("deputize"), exclude: ["node_modules"] });
		expect(pages.length).toBeGreaterThan(10);
		const dead = pages.flatMap((page) => {
			const text = readFileSync(installed("deputize", page), "utf8");
			const links = [...text.matchAll(/\]\((?!#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? "");
			return links
				.filter((link) => {
					const inRepository = link.replace(new RegExp(`^${repository}/(?:blob|raw)/v[^/]+/`), "");
					if (inRepository !== link) return !existsSync(join(ROOT, inRepository));
					return !/^https?:/.test(link) && !existsSync(installed("deputize", dirname(page), link));
				})
				.map((link) => `${page}: ${link}`);
		});
		expect(dead).toEqual([]);
	});

	it("has the licenses of the code that it contains", () => {
		const licenses = readFileSync(installed("deputize", "dist", "licenses.txt"), "utf8");
		for (const name of ["turndown", "linkedom", "mammoth", "unpdf", "preact"])
			expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
	});

	it("is small: a few hundred files, and types only as far as the exports reach", () => {
		const files = readdirSync(installed("deputize"), { recursive: true, encoding: "utf8" });
		expect(files.filter((file) => file.endsWith(".js")).length).toBeLessThan(400);
		const types = files.filter((file) => file.endsWith(".d.ts"));
		expect(types.length).toBeLessThan(70);
		expect(types).toContain(join("dist", "types", "src", "index.d.ts"));
		expect(files.filter((file) => file.startsWith("dist") && file.endsWith(".ts"))).toEqual(types);
	});

	it("gives pi's loader little to transform", () => {
		const dist = installed("deputize", "dist");
		const ofChildren = readdirSync(dist).filter((name) => name.endsWith("-extension.js"));
		expect(ofChildren).toHaveLength(2);
		for (const file of [installed("deputize", "index.ts"), ...ofChildren.map((name) => join(dist, name))]) {
			expect(statSync(file).size).toBeLessThan(MAX_EXTENSION_BYTES);
			expect(readFileSync(file, "utf8")).not.toMatch(/from "\.\//);
		}
	});

	it("brings the versions that were tested, of its dependencies' dependencies too", () => {
		const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
		const tree = JSON.parse(readFileSync(installed(".package-lock.json"), "utf8")) as Lock;
		const others = listVersions(tree).filter((name) => !name.startsWith("deputize@"));
		expect(others.length).toBeGreaterThan(2);
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
		calls = CALLS(origin);
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

/** Other platforms than Linux have none there. */
const OLDEST = join(ROOT, "test/peers/oldest-node/node_modules", `node-linux-${process.arch}`, "bin/node");

describe.skipIf(process.platform !== "linux")("on the oldest Node that is supported", () => {
	const runOldest = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> =>
		runProgram(OLDEST, [installed("deputize", "dist", "cli.js"), ...args], {
			cwd: home.project,
			env: { ...home.env, PATH: `${dirname(OLDEST)}:/usr/bin:/bin`, ...env },
		});

	it("answers where pi needs a newer Node, and says what that would add", async () => {
		expect(existsSync(OLDEST), `${OLDEST} is missing: run "npm ci" in test/peers/oldest-node`).toBe(true);
		home.write("project/kettle.ts", "export function boilKettle() {}\n");
		const bin = join(home.root, "bin");
		mkdirSync(bin, { recursive: true });
		symlinkSync(PI_SCRIPT, join(bin, "pi"));
		const { code, stdout, stderr } = await runOldest(
			["run", "explorer", "Where is boilKettle?", "--offline"],
			{
				PATH: `${bin}:${dirname(OLDEST)}:/usr/bin:/bin`,
			},
		);
		expect(stderr).toContain(
			"pi needs Node 22.19 or newer, and this is Node 20.19.0: the agent runs without it",
		);
		expect(stderr).toContain("With Node 22.19 or newer, children are pi");
		expect(stdout).toContain("kettle.ts:1");
		expect(code).toBe(0);
	});

	it.each([".pi", ".pi/agent", ".pi/subagent-sessions"])("answers where %s is a file", async (name) => {
		home.write("project/kettle.ts", "export function boilKettle() {}\n");
		home.write(`odd/${name}`, "");
		const env = { HOME: join(home.root, "odd") };
		const { code, stdout, stderr } = await runOldest(
			["run", "explorer", "Where is boilKettle?", "--offline"],
			env,
		);
		expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("✓ explorer") });
		expect(stdout).toContain("kettle.ts:1");
	});

	it("converts, fetches and searches in a child", async () => {
		copyFileSync(join(ROOT, "packages/documents/fixtures/groff-memo.pdf"), join(home.project, "memo.pdf"));
		home.write(
			"home/.pi/agent/agents/worker.md",
			"---\nname: worker\ndescription: Works\ntools: convert_content, web_search, fetch_content\n---\nYou work.\n",
		);
		calls = [
			{ name: "convert_content", arguments: { path: "memo.pdf" } },
			...CALLS(origin).filter(({ name }) => name !== "lsp"),
		];
		const { code, stderr } = await runOldest(["run", "worker", "Use the tools", "--runtime", "loop"], {
			DEPUTIZE_LOOP_URL: `${provider.baseUrl}/chat/completions`,
			DEPUTIZE_LOOP_MODEL: "m",
		});
		expect(stderr).not.toContain("failed");
		expect(code).toBe(0);
		const told = JSON.stringify(provider.requests.at(-1)?.messages);
		expect(told).toContain("Page 1 of");
		expect(told).toContain("The lid of a kettle must be closed.");
	});

	it("is a library, and lists agents", async () => {
		const text = "const { delegate } = require('deputize'); console.log(typeof delegate)";
		const file = join(project, "use-oldest.cjs");
		writeFileSync(file, text);
		const library = await runProgram(OLDEST, [file], { cwd: project, env: home.env });
		expect(library).toMatchObject({ stdout: "function\n", stderr: "", code: 0 });
		expect((await runOldest(["agents"])).stdout).toContain("explorer");
	});
});

describe("deputize setup, from a registry", () => {
	/** Stands for the PDF engine: says where its words come from. */
	const ENGINE = `
		exports.detectPdf = () => ({ pageCount: 1 });
		exports.extractTextWithPositions = () => [{
			page: 1, itemType: "Text", text: "Read by the optional part", x: 0, y: 700, width: 100, height: 10,
			fontSize: 10, font: "Plain", isBold: false, isItalic: false,
		}];`;
	const NAME = "@firecrawl/pdf-inspector";
	let registry: NpmRegistry;

	beforeAll(async () => {
		registry = await startNpmRegistry(NAME, "7.0.0", ENGINE);
		const entry = { version: "7.0.0", integrity: registry.integrity };
		const documents = {
			fingerprint: "0123456789abcdef",
			bytes: 1,
			packages: { [`node_modules/${NAME}`]: entry },
		};
		writeFileSync(installed("deputize", "dist", "parts.json"), JSON.stringify({ documents }));
	});

	afterAll(() => registry.close());

	const parts = () => join(home.agentDirectory, "deputize", "parts");
	const setup = (args: readonly string[], url = registry.url): Promise<CliRun> =>
		runProgram(installed(".bin", "deputize"), ["setup", ...args], {
			cwd: home.project,
			env: { ...home.env, npm_config_registry: url, npm_config_cache: join(home.root, "npm-cache") },
		});

	it("says that the registry cannot be reached, and leaves nothing", async () => {
		expect((await setup([])).stdout).toContain("deputize setup documents adds");
		const { code, stderr } = await setup(["documents"], "http://127.0.0.1:9");
		expect(stderr).toContain("the npm registry cannot be reached (ECONNREFUSED)");
		expect(code).toBe(1);
		expect(readdirSync(parts())).toEqual([]);
	});

	it("installs a part, also when two do it at once, and tools of confined children use it", async () => {
		const [one, other] = await Promise.all([setup(["documents"]), setup(["documents", "--json"])]);
		expect(one.stderr + other.stderr).not.toContain("npm");
		expect([one.code, other.code]).toEqual([0, 0]);
		expect(readdirSync(parts())).toEqual(["documents@0123456789abcdef"]);
		expect(await setup(["documents"])).toMatchObject({
			code: 0,
			stdout: expect.stringContaining("already here"),
		});

		copyFileSync(join(ROOT, "packages/documents/fixtures/groff-memo.pdf"), join(home.project, "memo.pdf"));
		home.write(
			"home/.pi/agent/agents/worker.md",
			"---\nname: worker\ndescription: Works\ntools: convert_content, read\n---\nYou work.\n",
		);
		const manifest = join(parts(), "documents@0123456789abcdef", "package.json");
		calls = [
			{ name: "convert_content", arguments: { path: "memo.pdf" } },
			{ name: "read", arguments: { path: manifest } },
		];
		expect((await run(["run", "worker", "Read it", "--model", MODEL])).code).toBe(0);
		const messages = provider.requests.at(-1)?.messages ?? [];
		expect(messages.filter(({ role }) => role === "tool")).toHaveLength(2);
		const told = JSON.stringify(messages);
		expect(told).toContain("Read by the optional part");
		expect(told).not.toContain("deputize-part-documents");
	});

	it("does not load a part with a changed file, says so, and installs it again", async () => {
		const file = join(parts(), "documents@0123456789abcdef", "node_modules", NAME, "package.json");
		appendFileSync(file, "\n");
		const told = `${file} was changed after the part documents was installed`;
		calls = [{ name: "convert_content", arguments: { path: "memo.pdf" } }];
		await run(["run", "worker", "Read it", "--model", MODEL]);
		const messages = JSON.stringify(provider.requests.at(-1)?.messages ?? []);
		expect(messages).toContain("was changed after the part documents was installed");
		expect(messages).not.toContain("Read by the optional part");
		expect((await setup(["--json"])).stdout).toContain(told);
		expect((await setup(["documents"])).stdout).toContain("documents: installed");
		expect((await setup(["documents"])).stdout).toContain("already here");
	});

	it("removes a part", async () => {
		expect(await setup(["--remove", "documents"])).toMatchObject({ code: 0, stdout: "documents: removed\n" });
		expect(readdirSync(parts())).toEqual([]);
		expect((await setup(["--remove", "documents"])).stdout).toContain("was not installed");
	});

	it("refuses a package with another checksum", async () => {
		registry.tamper();
		const { code, stderr } = await runProgram(installed(".bin", "deputize"), ["setup", "documents"], {
			cwd: home.project,
			env: {
				...home.env,
				npm_config_registry: registry.url,
				npm_config_cache: join(home.root, "another-npm-cache"),
			},
		});
		expect(stderr).toContain("another checksum");
		expect(code).toBe(1);
		expect(readdirSync(parts())).toEqual([]);
	});

	it("names the parts there are", async () => {
		expect(await setup(["document"])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("Did you mean documents?"),
		});
	});
});

const listVersions = ({ packages }: Lock): readonly string[] =>
	Object.entries(packages).map(
		([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`,
	);

interface Lock {
	readonly packages: Readonly<Record<string, { readonly version: string }>>;
}
