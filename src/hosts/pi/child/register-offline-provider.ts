import type { AssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import { createJudge } from "../../../judge/create-judge.ts";
import { createNavigator } from "../../../navigator/create-navigator.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import { answerOffline } from "./answer-offline.ts";

const API = "deputize-offline";
const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The embedded navigator as a provider of pi: no network, no key, no cost, and no language model. */
export function registerOfflineProvider(
	pi: ExtensionAPI,
	grant: ChildGrant,
	createStream: () => AssistantMessageEventStream,
): void {
	const cwd = process.cwd();
	const judge = createJudge({
		...readSurroundings(),
		...grant.fileRules,
		agentDirectory: grant.agentDirectory,
		cwd,
	});
	const navigator = createNavigator({
		cwd,
		judge,
		agentDirectory: grant.agentDirectory,
		env: process.env,
		projectTrusted: grant.projectTrusted,
	});
	pi.registerProvider("offline", {
		name: "Offline navigator (no language model)",
		baseUrl: "http://offline.invalid",
		apiKey: "none",
		api: API,
		models: [
			{
				id: "navigator",
				name: "Offline navigator",
				reasoning: false,
				input: ["text"],
				cost: FREE,
				contextWindow: 1_000_000,
				maxTokens: 100_000,
			},
		],
		streamSimple: (model, context) => answerOffline(model, context, { grant, navigator }, createStream()),
	});
}
