import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DEFAULT_CONFIG, type LspConfig } from "../../src/contract/config.ts";
import type { ToolOutcome } from "../../src/contract/tool.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { createLspTool, type LspTool, type LspToolOptions } from "../../src/tools/lsp/create-lsp-tool.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
export const LSP_FIXTURES = join(REPOSITORY, "test/fixtures/lsp");
export const PEER_MODULES = join(REPOSITORY, "test/peers/node_modules");
export const FAKE_SERVER = join(LSP_FIXTURES, "fake-server.mjs");

export interface LspWorkspace {
	readonly directory: string;
	write(file: string, text: string): string;
	remove(): void;
}

/** A private copy of a fixture project, or an empty directory. */
export function createWorkspace(fixture?: string): LspWorkspace {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "lsp-workspace-")));
	if (fixture !== undefined) cpSync(join(LSP_FIXTURES, fixture), directory, { recursive: true });
	return {
		directory,
		write: (file, text) => {
			const path = join(directory, file);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
			return path;
		},
		remove: () => rmSync(directory, { recursive: true, force: true }),
	};
}

/** Puts a program of the test peers where a project of its own would have it. */
export function installServer(workspace: LspWorkspace, program: string): void {
	const bin = join(workspace.directory, "node_modules", ".bin");
	mkdirSync(bin, { recursive: true });
	symlinkSync(needPeer(`.bin/${program}`), join(bin, program));
}

export function installTypescript(workspace: LspWorkspace, peer: "typescript-5" | "typescript-7"): void {
	mkdirSync(join(workspace.directory, "node_modules"), { recursive: true });
	symlinkSync(needPeer(peer), join(workspace.directory, "node_modules", "typescript"));
}

/** Missing peers are never a reason to skip: these tests are worth nothing without them. */
export function needPeer(name: string): string {
	const path = join(PEER_MODULES, name);
	if (!existsSync(path)) throw new Error(`${path} is missing: run "npm ci" in test/peers`);
	return path;
}

/** A server that is Debian's, not npm's: required in CI, and said aloud when it is missing elsewhere. */
export function hasSystemProgram(program: string, debianPackage: string): boolean {
	const found = (process.env.PATH ?? "").split(":").some((directory) => existsSync(join(directory, program)));
	if (found) return true;
	if (process.env.CI === "true") throw new Error(`${program} is missing: apt-get install ${debianPackage}`);
	console.warn(`skipped: ${program} is not installed (apt-get install ${debianPackage})`);
	return false;
}

export interface TestToolOptions extends Partial<Omit<LspToolOptions, "config">> {
	readonly config?: Partial<LspConfig>;
	/** Opened by the user: `subagents.readable`. */
	readonly readable?: readonly string[];
}

/** Deadlines are generous because the machine is shared; tests of timeouts set their own. */
export function createTestTool(options: TestToolOptions = {}): LspTool {
	return createLspTool({
		// Nothing is kept: a cache that cannot be made is replaced by a temporary one.
		env: { PATH: process.env.PATH, HOME: tmpdir(), XDG_CACHE_HOME: "/dev/null/none" },
		mode: "main",
		allowedActions: DEFAULT_CONFIG.subagents.allowedLspActions,
		projectTrusted: true,
		judge: createJudge({
			cwd: process.cwd(),
			home: tmpdir(),
			agentDirectory: join(tmpdir(), ".pi", "agent"),
			readable: options.readable ?? [],
		}),
		...options,
		config: { ...DEFAULT_CONFIG.lsp, requestTimeoutMs: 20_000, ...options.config },
	});
}

export function callLsp(
	tool: LspTool,
	workspace: LspWorkspace | string,
	input: unknown,
	signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
	return tool.execute(input, {
		cwd: typeof workspace === "string" ? workspace : workspace.directory,
		signal,
	});
}

/** `file:line:column` of every place in an answer. */
export function placesOf(outcome: ToolOutcome): string[] {
	const places = outcome.details["places"];
	if (!Array.isArray(places)) throw new Error(`no places in: ${outcome.text}`);
	return places.map(({ file, line, column }) => `${file}:${line}:${column}`);
}

/** Not in a sandbox: it writes its log into the workspace. */
export function fakeServerConfig(behaviour: string, log: string): Partial<LspConfig> {
	return {
		sandbox: "off",
		servers: {
			fake: {
				command: [process.execPath, FAKE_SERVER, behaviour, log],
				languages: ["fake"],
				extensions: [".fake"],
				rootMarkers: [],
			},
		},
	};
}

export interface FakeLogEntry {
	readonly method?: string;
	readonly params?: unknown;
	readonly started?: number;
	readonly ignored?: string;
	/** Of an answer to one of the server's own questions. */
	readonly id?: string;
	readonly error?: number;
}

export function readFakeLog(log: string): FakeLogEntry[] {
	if (!existsSync(log)) return [];
	return readFileSync(log, "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
}

export function startedServers(log: string): number[] {
	return readFakeLog(log).flatMap(({ started }) => (started === undefined ? [] : [started]));
}

/** A zombie counts as gone: it runs nothing and only waits for its parent. */
export function isGone(pid: number): boolean {
	try {
		const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
		return state === "Z" || state === "X";
	} catch {
		return true;
	}
}
