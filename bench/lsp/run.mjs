// Cold and warm answers on the sources of a large real package (the openai SDK, 453 files), through the tool and from
// the bare server. Needs `npm run build` and `npm ci` in test/peers.  node bench/lsp/run.mjs [rounds]
import { execFile } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { cpus, homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DEFAULT_CONFIG } from "../../src/contract/config.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { createLspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import { serveLspToChildren } from "../../src/tools/lsp/sharing/serve-children.ts";
import { median, sortSamples } from "../samples.ts";
import { startBareServer } from "./bare-server.mjs";

const ROUNDS = Number(process.argv[2] ?? 40);
const PEERS = resolve(import.meta.dirname, "../../test/peers/node_modules");
const FILE = "src/resources/files.ts";
const NAME = "APIResource";
/** The tool's own first page. */
const PAGE_ITEMS = 50;
const SETTLED_AFTER_MS = 16_000;
const WARM_UP_ROUNDS = 100;

/** Hosts keep the answer on disk. */
const probed = await probeSandbox({ env: process.env });

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const round = (ms) => Math.round(ms * 100) / 100;
/** The tenth part of the samples that a busy machine disturbed least. */
const quiet = (values) => round(sortSamples(values)[Math.floor(values.length / 10)]);
async function time(work) {
	const started = performance.now();
	const value = await work();
	return { ms: performance.now() - started, value };
}

function createProject(peer) {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-lsp-")));
	cpSync(join(PEERS, "openai/src"), join(root, "src"), { recursive: true });
	const compilerOptions = {
		target: "es2020",
		module: "esnext",
		moduleResolution: "bundler",
		strict: true,
		types: [],
	};
	writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
	mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
	symlinkSync(join(PEERS, peer), join(root, "node_modules/typescript"));
	if (peer === "typescript-5") {
		symlinkSync(
			join(PEERS, ".bin/typescript-language-server"),
			join(root, "node_modules/.bin/typescript-language-server"),
		);
	}
	return root;
}

/** The first use of the name after the imports. */
function findPlace(root) {
	const lines = readFileSync(join(root, FILE), "utf8").split("\n");
	const line = lines.findIndex((text) => text.includes(`extends ${NAME}`));
	return { line, character: lines[line].indexOf(NAME) };
}

const SERVERS = {
	"typescript-7": (root) => [
		process.execPath,
		[join(root, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"],
	],
	"typescript-5": (root) => [
		process.execPath,
		[join(root, "node_modules/.bin/typescript-language-server"), "--stdio"],
	],
};

async function startBare(peer, root, client = "least") {
	const [command, args] = SERVERS[peer](root);
	const server = startBareServer(client, command, args, root);
	await server.initialize({
		disableAutomaticTypingAcquisition: true,
		tsserver: { useSyntaxServer: "never" },
	});
	const uri = server.open(join(root, FILE));
	const textDocument = { uri };
	const position = findPlace(root);
	const tsserver = (name) =>
		server.request("workspace/executeCommand", {
			command: "typescript.tsserverRequest",
			arguments: [name, { file: uri }],
		});
	return {
		stop: server.stop,
		definition: () => server.request("textDocument/definition", { textDocument, position }),
		references: () =>
			server.request("textDocument/references", {
				textDocument,
				position,
				context: { includeDeclaration: true },
			}),
		diagnostics:
			peer === "typescript-7"
				? () => server.request("textDocument/diagnostic", { textDocument })
				: () =>
						Promise.all(
							["syntactic", "semantic", "suggestion"].map((kind) => tsserver(`${kind}DiagnosticsSync`)),
						),
	};
}

function startTool(root) {
	const tool = createLspTool({
		config: { ...DEFAULT_CONFIG.lsp, requestTimeoutMs: 30_000 },
		env: process.env,
		mode: "main",
		allowedActions: DEFAULT_CONFIG.subagents.allowedLspActions,
		projectTrusted: true,
		probe: async () => probed,
		judge: createJudge({ cwd: root, home: homedir(), agentDirectory: join(homedir(), ".pi", "agent") }),
	});
	const { line, character } = findPlace(root);
	const ask = (action) => () =>
		tool.execute(
			{ action, file: FILE, ...(action === "diagnostics" ? {} : { line: line + 1, column: character + 1 }) },
			{ cwd: root, signal: new AbortController().signal },
		);
	return {
		tool,
		definition: ask("definition"),
		references: ask("references"),
		diagnostics: ask("diagnostics"),
	};
}

async function measureCold(peer, root) {
	const rows = {};
	for (const action of ["definition", "references", "diagnostics"]) {
		const bare = await time(async () => {
			const server = await startBare(peer, root);
			return { server, answer: await server[action]() };
		});
		bare.value.server.stop();
		const answer = bare.value.answer;
		const through = startTool(root);
		const tool = await time(through[action]);
		await through.tool.close();
		rows[action] = {
			bareMs: round(bare.ms),
			bareAnswers: Array.isArray(answer) ? answer.length : undefined,
			toolMs: round(tool.ms),
			toolAnswers: tool.value.details.total,
		};
	}
	return rows;
}

/** What anybody must do with bare places before they can be read: the lines of the first page of them. */
function readShownLines(answer) {
	const places = Array.isArray(answer) ? answer.filter((item) => item.targetUri ?? item.uri) : [];
	const files = new Map();
	return places.slice(0, PAGE_ITEMS).map((place) => {
		const path = fileURLToPath(place.targetUri ?? place.uri);
		if (!files.has(path)) files.set(path, readFileSync(path, "utf8").split("\n"));
		return files.get(path)[(place.targetSelectionRange ?? place.range).start.line];
	});
}

/**
 * In turns, and each comes first equally often, so that all are as long out of the processor's caches as the others.
 * The first rounds let Node compile what it has seen often, and are not counted.
 */
async function takeTurns(works) {
	const names = Object.keys(works);
	const samples = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
		for (let turn = 0; turn < names.length; turn += 1) {
			const name = names[(turn + round + WARM_UP_ROUNDS) % names.length];
			const { ms } = await time(works[name]);
			if (round >= 0) samples[name].push(ms);
		}
	}
	return samples;
}

async function measureWarm(peer, root) {
	const bare = await startBare(peer, root);
	const library = await startBare(peer, root, "library");
	const through = startTool(root);
	for (const action of ["definition", "references", "diagnostics"]) {
		for (const asked of [bare, library, through]) await asked[action]();
	}
	await pause(SETTLED_AFTER_MS);
	const rows = {};
	for (const action of ["definition", "references", "diagnostics"]) {
		const samples = {
			...(await takeTurns({ bare: bare[action], library: library[action], tool: through[action] })),
			// Apart: a server that had two turns in a round would be the warmest of all.
			...(await takeTurns({ bareWithLines: async () => readShownLines(await bare[action]()) })),
		};
		rows[action] = {
			median: compare(samples, (values) => round(median(values))),
			quiet: compare(samples, quiet),
		};
	}
	bare.stop();
	library.stop();
	const children = await measureChildren(through.tool, root);
	await through.tool.close();
	return { rows, children };
}

function compare(samples, summarise) {
	const ms = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, summarise(values)]));
	return { ...ms, toolToBare: round(ms.tool / ms.bare), toolToLibrary: round(ms.tool / ms.library) };
}

async function measureChildren(parent, root) {
	const service = await serveLspToChildren(parent, { directory: join(root, "node_modules/run"), cwd: root });
	const { line, character } = findPlace(root);
	const input = { action: "definition", file: FILE, line: line + 1, column: character + 1 };
	const run = async (extra) => {
		const argument = JSON.stringify({ cwd: root, input, ...extra });
		const { stdout } = await promisify(execFile)(process.execPath, [
			join(import.meta.dirname, "child.mjs"),
			argument,
		]);
		return JSON.parse(stdout);
	};
	const shared = [];
	for (let index = 0; index < 5; index += 1) {
		shared.push(await run({ socketPath: service.socketPath, token: service.token }));
	}
	const alone = await run({});
	await service.close();
	return {
		throughParentMs: shared.map(({ tookMs }) => round(tookMs)),
		ownServerMs: round(alone.tookMs),
		answers: [...shared, alone].map(({ total }) => total),
	};
}

const report = { node: process.version, cpus: cpus().length, rounds: ROUNDS, servers: {} };
for (const peer of ["typescript-7", "typescript-5"]) {
	const root = createProject(peer);
	try {
		const cold = await measureCold(peer, root);
		const warm = await measureWarm(peer, root);
		report.servers[peer] = { cold, warm: warm.rows, firstDefinitionOfAChild: warm.children };
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}
console.log(JSON.stringify(report, null, "\t"));
