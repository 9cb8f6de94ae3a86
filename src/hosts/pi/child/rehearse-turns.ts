import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "@deputize/ground";
import type * as codingAgent from "@earendil-works/pi-coding-agent";
import type { AgentSession, ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { FINALIZE_TOOL } from "../../../contract/finalization.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { registerFinalize } from "./register-finalize.ts";
import { REHEARSAL_ANSWERS } from "./rehearsal-answers.ts";

const NEEDED = [
	"createAgentSession",
	"DefaultResourceLoader",
	"initTheme",
	"ModelRuntime",
	"SessionManager",
	"SettingsManager",
] as const;

/** What a rehearsal uses of pi. */
export type RehearsalLibrary = Pick<typeof codingAgent, (typeof NEEDED)[number]>;

export function hasRehearsalLibrary(exported: object): exported is RehearsalLibrary {
	return NEEDED.every((name) => typeof (exported as Record<string, unknown>)[name] === "function");
}

export interface Rehearsal {
	readonly library: RehearsalLibrary;
	readonly grant: Pick<ChildGrant, "tools" | "finalize" | "output" | "runDirectory">;
	/** Which of pi's provider APIs the real request will use. */
	readonly api: string;
	readonly env: Environment;
	/** pi has started and reads its task. */
	isWaiting(): boolean;
	/** How long to wait for that. */
	readonly patienceMs?: number;
	/** Tells each turn that is over, for tests. */
	onTurn?(session: AgentSession): void;
}

const POLL_MS = 5;
const PATIENCE_MS = 5000;
const MAX_REHEARSAL_MS = 2000;
/** The first loads and compiles, the others make it quick: a fourth would no longer be quicker than the third. */
const TURNS = 3;
const PROVIDER = "rehearsal";

/**
 * A child that was started early has time before its task comes: it plays whole turns, with itself as the model's
 * provider, so that everything the real turn runs through is loaded and compiled when the task is here. pi's own session in
 * memory does it: no file is written, nothing leaves the process, and whatever goes wrong here does not matter.
 */
export async function rehearseTurns(rehearsal: Rehearsal): Promise<void> {
	const answer = REHEARSAL_ANSWERS[rehearsal.api];
	if (answer === undefined || usesProxy(rehearsal.env) || !(await becomesIdle(rehearsal))) return;
	const server = createServer((request, response) => {
		request.resume();
		request.once("end", () => response.writeHead(200, { "content-type": "text/event-stream" }).end(answer));
	}).unref();
	try {
		const baseUrl = await listenOnLoopback(server);
		for (let turn = 0; turn < TURNS && rehearsal.isWaiting(); turn += 1) await playTurn(rehearsal, baseUrl);
	} catch {
		// The task is done without a rehearsal, as it is by a child that had no time for one.
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

async function playTurn(rehearsal: Rehearsal, baseUrl: string): Promise<void> {
	const session = await openRehearsalSession(rehearsal, baseUrl);
	const giveUp = setTimeout(() => void session.abort(), MAX_REHEARSAL_MS).unref();
	try {
		await session.bindExtensions({ mode: "json" });
		session.subscribe((event) => void JSON.stringify(event));
		await session.prompt("-");
		rehearsal.onTurn?.(session);
	} finally {
		clearTimeout(giveUp);
		session.dispose();
	}
}

/** Like that of the real child as far as code is concerned, and unlike it in everything that could be read or written. */
async function openRehearsalSession(
	{ library, grant, api }: Rehearsal,
	baseUrl: string,
): Promise<AgentSession> {
	const place = { cwd: grant.runDirectory, agentDir: grant.runDirectory };
	const settingsManager = library.SettingsManager.inMemory({
		retry: { enabled: false, provider: { maxRetries: 0 } },
	});
	const modelRuntime = await library.ModelRuntime.create({
		credentials: NO_CREDENTIALS,
		modelsPath: null,
		refreshOnCreate: false,
	});
	modelRuntime.registerProvider(PROVIDER, { baseUrl, apiKey: "none", api, models: [MODEL] });
	const model = modelRuntime.getModel(PROVIDER, MODEL.id);
	const resourceLoader = new library.DefaultResourceLoader({
		...place,
		settingsManager,
		noExtensions: true,
		noSkills: true,
		noPromptTemplates: true,
		noThemes: true,
		noContextFiles: true,
		systemPrompt: "-",
		extensionFactories: [(pi: ExtensionAPI) => registerFinalize(pi, grant)],
	});
	await resourceLoader.reload();
	// What pi does between the end of its input and the first turn.
	library.initTheme();
	const { session } = await library.createAgentSession({
		...place,
		...(model === undefined ? {} : { model }),
		modelRuntime,
		settingsManager,
		resourceLoader,
		sessionManager: library.SessionManager.inMemory(grant.runDirectory),
		tools: [...grant.tools, FINALIZE_TOOL],
	});
	return session;
}

/** The user's own are none of a rehearsal's business. */
const NO_CREDENTIALS = {
	read: async () => undefined,
	list: async () => [],
	modify: async () => undefined,
	delete: async () => undefined,
};

const MODEL = {
	id: "rehearsal",
	name: "rehearsal",
	reasoning: false,
	input: ["text" as const],
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
	contextWindow: 100_000,
	maxTokens: 1000,
};

async function becomesIdle({ isWaiting, patienceMs = PATIENCE_MS }: Rehearsal): Promise<boolean> {
	for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += POLL_MS) {
		if (isWaiting()) return true;
		await sleep(POLL_MS, undefined, { ref: false });
	}
	return false;
}

/** pi would send even this request through it. */
function usesProxy(env: Environment): boolean {
	return ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].some((name) => Boolean(env[name]));
}

async function listenOnLoopback(server: Server): Promise<string> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
