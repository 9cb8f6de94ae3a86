import { join } from "node:path";
import { asObject, readJsonFile } from "@deputize/ground";
import { PROVIDER_VARIABLES } from "./provider-variables.ts";
import type { UserPlace } from "./read-surroundings.ts";

/** Being able to reach Amazon is common on developers' machines and says nothing about wanting Bedrock. */
const TOO_COMMON_TO_COUNT = [
	"amazon-bedrock",
	"google-vertex",
	"huggingface",
	"cloudflare-ai-gateway",
	"cloudflare-workers-ai",
];

export interface Credential {
	readonly provider: string;
	/** Where it was found: the name of a variable or a file. Never the value. */
	readonly source: string;
}

/** What pi could use without being asked for a model. */
export function findCredentials(options: Pick<UserPlace, "env" | "agentDirectory">): readonly Credential[] {
	const fromEnvironment = Object.entries(PROVIDER_VARIABLES)
		.filter(([provider]) => !TOO_COMMON_TO_COUNT.includes(provider))
		.flatMap(([provider, { keys }]) =>
			keys.filter((name) => options.env[name]?.trim()).map((name) => ({ provider, source: name })),
		);
	const fromFile = (file: string, section?: string): Credential[] =>
		readProviderNames(join(options.agentDirectory, file), section).map((provider) => ({
			provider,
			source: file,
		}));
	return [...fromEnvironment, ...fromFile("auth.json"), ...fromFile("models.json", "providers")];
}

function readProviderNames(file: string, section: string | undefined): readonly string[] {
	const parsed = asObject(readJsonFile(file));
	return Object.keys(section ? asObject(parsed[section]) : parsed);
}
