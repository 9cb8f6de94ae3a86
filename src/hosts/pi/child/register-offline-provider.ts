import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Navigator } from "../../../navigator/create-navigator.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { answerOffline } from "./answer-offline.ts";

const API = "deputize-offline";
const BASE_URL = "http://offline.invalid";
const MODEL = {
	id: "navigator",
	name: "Offline navigator",
	reasoning: false,
	input: ["text" as const],
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
	contextWindow: 1_000_000,
	maxTokens: 100_000,
};

/** The model of the provider below, as pi's sessions know it. */
export const OFFLINE_PROVIDER_MODEL = { ...MODEL, provider: "offline", api: API, baseUrl: BASE_URL };

/** The embedded navigator as a provider of pi: no network, no key, no cost, and no language model. */
export function registerOfflineProvider(
	pi: ExtensionAPI,
	grant: ChildGrant,
	navigator: Pick<Navigator, "plan">,
): void {
	pi.registerProvider("offline", {
		name: "Offline navigator (no language model)",
		baseUrl: BASE_URL,
		apiKey: "none",
		api: API,
		models: [MODEL],
		streamSimple: (model, context) => answerOffline(model, context, { grant, navigator }),
	});
}
