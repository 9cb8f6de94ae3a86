import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type * as codingAgent from "@earendil-works/pi-coding-agent";
import type { ExtensionAPI, ModelRuntime } from "@earendil-works/pi-coding-agent";
import { FINALIZE_TOOL } from "../../../contract/finalization.ts";
import { splitModel } from "../../../contract/split-model.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { registerFinalize } from "./register-finalize.ts";
import { OFFLINE_PROVIDER_MODEL, registerOfflineProvider } from "./register-offline-provider.ts";

export type WarmUpLibrary = Pick<
	typeof codingAgent,
	"createAgentSession" | "DefaultResourceLoader" | "ModelRuntime" | "SessionManager" | "SettingsManager"
>;

interface WarmUp {
	readonly library: WarmUpLibrary;
	readonly grant: ChildGrant;
	isWaiting(): boolean;
}

/** Those that were seen to ask `onPayload` before they send anything, and to send it where the model says. */
const APIS = ["anthropic-messages", "google-generative-ai", "openai-completions", "openai-responses"];

/**
 * A child that waits for its task has time: it loads its provider's code and plays turns that the offline provider answers
 * at once, in a session in memory. Nothing is sent, written or reported. When this rejects, the child is just colder.
 */
export async function warmUp(child: WarmUp): Promise<void> {
	for (let polls = 0; polls < 1000 && !child.isWaiting(); polls += 1)
		await sleep(5, undefined, { ref: false });
	const modelRuntime = await child.library.ModelRuntime.create({ ...NOBODY, modelsPath: null });
	// The first turn loads and compiles, the second makes it quick.
	for (const step of [openProvider, playTurn, playTurn])
		if (child.isWaiting()) await step(child, modelRuntime);
}

/** The request is aborted when it is complete, and would not get anywhere. */
async function openProvider({ library, grant }: WarmUp, modelRuntime: ModelRuntime): Promise<void> {
	const modelsPath = join(process.env["PI_CODING_AGENT_DIR"] ?? grant.agentDirectory, "models.json");
	const { provider, name } = splitModel(grant.model ?? "");
	const known = await library.ModelRuntime.create({ ...NOBODY, modelsPath });
	const api = known.getModel(provider, name)?.api ?? "";
	if (!APIS.includes(api)) return;
	const { baseUrl, ...model } = OFFLINE_PROVIDER_MODEL;
	modelRuntime.registerProvider("nowhere", { baseUrl, apiKey: "none", api, models: [{ ...model, api }] });
	const nowhere = modelRuntime.getModel("nowhere", model.id);
	const abort = new AbortController();
	const options = { signal: abort.signal, maxRetries: 0, onPayload: () => abort.abort() };
	if (nowhere) await modelRuntime.streamSimple(nowhere, { messages: [] }, options).result();
	await (await fetch("data:,-")).text();
}

async function playTurn(child: WarmUp, modelRuntime: ModelRuntime): Promise<void> {
	const { library, grant } = child;
	const settingsManager = library.SettingsManager.inMemory();
	const place = { cwd: grant.runDirectory, agentDir: grant.runDirectory, settingsManager };
	const resourceLoader = new library.DefaultResourceLoader({
		...{ ...place, noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true },
		...{ noContextFiles: true, systemPrompt: "-" },
		extensionFactories: [
			(pi: ExtensionAPI) => {
				registerOfflineProvider(pi, grant, { plan: async () => HANDOVER });
				return registerFinalize(pi, grant);
			},
		],
	});
	await resourceLoader.reload();
	const sessionManager = library.SessionManager.inMemory(grant.runDirectory);
	const what = { modelRuntime, resourceLoader, sessionManager, model: OFFLINE_PROVIDER_MODEL };
	const { session } = await library.createAgentSession({ ...place, ...what, tools: [FINALIZE_TOOL] });
	await session.bindExtensions({ mode: "json" });
	session.subscribe((event) => void JSON.stringify(event));
	if (child.isWaiting()) await session.prompt("-");
	session.dispose();
}

const HANDOVER = { kind: "finalize", status: "SUCCESS", result: "-" } as const;
const none = async (): Promise<undefined> => undefined;
/** The user's logins are none of its business. */
const LOGINS = { read: none, list: async () => [], modify: none, delete: none };
const NOBODY = { credentials: LOGINS, refreshOnCreate: false };
