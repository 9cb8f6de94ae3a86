import { join } from "node:path";
import { asObject, asText, readJsonFile } from "@deputize/ground";
import { findCredentials } from "../config/find-credentials.ts";
import type { UserPlace } from "../config/read-surroundings.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import { findPi, NoPiError } from "../runtimes/pi/find-pi.ts";
import { findModelProvider } from "../runtimes/pi/list-model-variables.ts";
import { findClientProgram, listUsablePrograms } from "../runtimes/program-logins.ts";
import type { ModelFacts } from "./decide-model.ts";

interface FactsPlace {
	readonly cwd: string;
	readonly surroundings: UserPlace;
	readonly config: Pick<DeputizeConfig, "models">;
	/** Directory of the running pi's package, inside pi. */
	readonly piPackage?: string | undefined;
	/** Who calls, at a door for other agents. */
	readonly callingClient?: string | undefined;
}

/** Looks at files and PATH only: nothing is started and nobody is asked. */
export function gatherModelFacts(place: FactsPlace): ModelFacts {
	const { surroundings, config, piPackage } = place;
	const isInside = piPackage !== undefined;
	return {
		env: surroundings.env,
		models: config.models,
		pi: isInside ? "around us" : lookForPi(place),
		piProviders: findCredentials(surroundings).map(({ provider }) => provider),
		piDefault: findModelProvider(undefined, surroundings),
		piAddresses: listOwnAddresses(surroundings.agentDirectory),
		// Inside pi they are children only where they are asked for.
		programs: isInside ? [] : listUsablePrograms(surroundings),
		clientProgram: findClientProgram(place.callingClient, surroundings),
	};
}

function lookForPi({ surroundings: { env }, cwd }: FactsPlace): ModelFacts["pi"] {
	// Whoever names one gets that, or its own message.
	if (env["PI_SUBAGENT_PI_BINARY"]) return "installed";
	try {
		findPi({ env, cwd });
		return "installed";
	} catch (error) {
		if (error instanceof NoPiError) return { why: error.why, gain: error.gain };
		throw error;
	}
}

function listOwnAddresses(agentDirectory: string): readonly string[] {
	const { providers } = asObject(readJsonFile(join(agentDirectory, "models.json")));
	return Object.entries(asObject(providers))
		.filter(([, provider]) => asText(asObject(provider)["baseUrl"]) !== "")
		.map(([name]) => name);
}
