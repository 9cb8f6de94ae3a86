import type { RuntimeName } from "../contract/agent.ts";
import { splitModel } from "../contract/split-model.ts";

/** Providers whose models the program of another agent serves. */
export const OWN_PROVIDERS = {
	claude: ["anthropic"],
	codex: ["openai", "openai-codex"],
} as const satisfies Partial<Record<RuntimeName, readonly string[]>>;

/** Programs of other agents, which have models and logins of their own. */
export type ProgramName = keyof typeof OWN_PROVIDERS;

export function isProgram(runtime: RuntimeName): runtime is ProgramName {
	return runtime in OWN_PROVIDERS;
}

/** Whether a runtime can be asked for a model, named as `provider/id`. */
export function canUseModel(runtime: RuntimeName, model: string): boolean {
	if (!isProgram(runtime)) return true;
	const { provider } = splitModel(model);
	return provider === "" || OWN_PROVIDERS[runtime].some((own) => own === provider);
}

/** The models in a comma-separated list that a runtime can be asked for. */
export function keepUsable(runtime: RuntimeName, models: string): string {
	return models
		.split(",")
		.filter((model) => canUseModel(runtime, model.trim()))
		.join(",");
}
