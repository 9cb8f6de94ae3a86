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
			readonly value: string;
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
	const hasModel = survey.pi.runs || survey.credentials.length > 0;
	const first = survey.programs.find(
		({ found }) => found?.isLoggedIn === true && found.missingOptions.length === 0,
	);
	return [
		...(first !== undefined && !hasModel && config.subagents.runtime === "auto"
			? [
					{
						kind: "setting" as const,
						question: `There is no pi and no key, but ${first.program.title} is logged in. Run children on it (subagents.runtime: "${first.program.name}")?`,
						path: ["subagents", "runtime"],
						value: first.program.name,
					},
				]
			: []),
		...survey.programs
			.filter(({ found, program }) => found !== undefined && !isInstalledFor(program.name))
			.map(({ program }) => ({
				kind: "client" as const,
				question: `Give ${program.title} the tool subagent (deputize mcp install ${program.name})?`,
				client: program.name,
			})),
	];
}

/** What a person can do that `init` leaves to them, most useful first. */
export function listNextSteps(survey: MachineSurvey): readonly string[] {
	const missing = survey.servers.filter(({ installed }) => !installed);
	const hasModel =
		survey.credentials.length > 0 || survey.programs.some(({ found }) => found?.isLoggedIn === true);
	return [
		...(hasModel
			? []
			: ["For answers of a language model, set a key such as ANTHROPIC_API_KEY, or log in with pi (/login)"]),
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
