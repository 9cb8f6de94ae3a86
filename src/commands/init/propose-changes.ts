import { MODEL_SERVICES, type ServiceSettings, type ServiceTable } from "../../contract/model-services.ts";
import { isOfflineModel } from "../../contract/offline-model.ts";
import { MECHANISM } from "../../sandbox/wrap.ts";
import type { CommandContext } from "../command-context.ts";
import type { MachineSurvey } from "../survey-machine.ts";

/** Something that `deputize init` can write. */
export type Proposal =
	| {
			readonly kind: "setting";
			/** What a person is asked. */
			readonly question: string;
			readonly path: readonly string[];
			readonly value: string | ServiceSettings;
	  }
	| {
			readonly kind: "client";
			readonly question: string;
			/** A client of `mcp install`. */
			readonly client: string;
	  };

/** What fits this machine and is not set yet. Nothing is proposed where a person has already decided. */
export function proposeChanges(
	survey: MachineSurvey,
	{ config }: CommandContext,
	isInstalledFor: (client: string) => boolean,
): readonly Proposal[] {
	return [
		...proposeLocalModel(survey, config.models),
		...survey.programs
			.filter(({ found, program }) => found !== undefined && !isInstalledFor(program.name))
			.map(({ program }) => ({
				kind: "client" as const,
				question: `Give ${program.title} the tool subagent (deputize mcp install ${program.name})?`,
				client: program.name,
			})),
	];
}

/** A server on this machine, where nothing else answers. It comes last in the order, so it takes nobody's place later. */
function proposeLocalModel(survey: MachineSurvey, known: ServiceTable): readonly Proposal[] {
	const found = survey.localServers.find(({ service }) => known[service]?.model === undefined);
	const [model] = found?.models ?? [];
	if (found === undefined || model === undefined || hasModel(survey)) return [];
	const { service, address } = found;
	const usual = known[service]?.baseUrl ?? MODEL_SERVICES[service]?.baseUrl;
	// An address that only a variable has would be forgotten by the next shell.
	const isKnown = usual !== undefined && address.startsWith(usual);
	const baseUrl = address.replace(/\/chat\/completions$/, "");
	return [
		{
			kind: "setting",
			question: `There is no other model, but ${service} runs on this machine${isKnown ? "" : ` at ${baseUrl}`}. Use ${model} of it (models.${service}${isKnown ? ".model" : ""})?`,
			path: isKnown ? ["models", service, "model"] : ["models", service],
			value: isKnown ? model : { ...known[service], baseUrl, model },
		},
	];
}

function hasModel({ decision }: MachineSurvey): boolean {
	return !("problem" in decision) && !isOfflineModel(decision.model.model);
}

/** What a person can do that `init` leaves to them, most useful first. */
export function listNextSteps(survey: MachineSurvey): readonly string[] {
	const missing = survey.servers.filter(({ installed }) => !installed);
	return [
		...(hasModel(survey) || survey.localServers.length > 0
			? []
			: [
					"For answers of a language model, set a key such as ANTHROPIC_API_KEY, log in with pi (/login), Claude Code or Codex, or start a server such as Ollama and run deputize init again",
				]),
		...(survey.pi.runs && !survey.pi.hasDeputize ? ["In pi: pi install npm:deputize"] : []),
		...(survey.sandbox.works || process.platform !== "linux"
			? []
			: [
					`For a read-only file system around children, install ${MECHANISM.packageName}: apt-get install ${MECHANISM.packageName}`,
				]),
		...[...new Set(missing.map(({ installHint }) => installHint))].map(
			(hint) => `For exact answers about this project's code: ${hint}`,
		),
		'Ask: deputize run explorer "Where is the configuration read?"',
	];
}
