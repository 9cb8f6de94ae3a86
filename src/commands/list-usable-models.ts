import { formatCount } from "@deputize/ground";
import { listUsablePrograms } from "../runtimes/program-logins.ts";
import type { CommandContext } from "./command-context.ts";
import { createDecider, renderDecision } from "./decide-here.ts";
import { findPiModels } from "./find-pi-models.ts";
import { type FoundService, findServices } from "./find-services.ts";
import { fail, info, ok, type Report, type ReportLine, sectionIfAny, warn } from "./report.ts";

/** More are in `--json`. */
const MAX_SHOWN = 20;

/** What can be named as a model here, by who serves it, and what a run asks that names none. */
export async function listUsableModels(context: CommandContext): Promise<Report> {
	const decision = createDecider(context)({});
	const [services, ofPi] = await Promise.all([findServices(context), findPiModels(context)]);
	const programs = listUsablePrograms(context.surroundings);
	const byDefault = "problem" in decision ? undefined : decision.model.model;
	const count = services.reduce((sum, { models }) => sum + models.length, ofPi.length);
	return {
		title: `Models: ${formatCount(count, "model")} of ${formatCount(services.length + (ofPi.length > 0 ? 1 : 0), "service")}`,
		sections: [
			{
				heading: "Without --model",
				lines: [
					"problem" in decision
						? fail(decision.problem)
						: ok(`${decision.runtime.name}: ${renderDecision(decision)}`),
				],
			},
			...services.flatMap((found) => sectionIfAny(describeService(found), listLines(found, byDefault))),
			...sectionIfAny("pi", toModelLines(ofPi, byDefault)),
			...sectionIfAny(
				"Programs with models of their own",
				programs.map((name) => info(`${name} is logged in: --runtime ${name}`)),
			),
		],
		data: { default: decision, services, pi: ofPi, programs },
	};
}

function describeService({ service, address, keyFrom }: FoundService): string {
	return `${service} (${address}${keyFrom === null ? "" : `, key: ${keyFrom}`})`;
}

function listLines(
	{ service, models, problem }: FoundService,
	byDefault: string | undefined,
): readonly ReportLine[] {
	if (problem !== undefined) return [warn(problem)];
	return toModelLines(
		models.map((model) => `${service}/${model}`),
		byDefault,
	);
}

function toModelLines(names: readonly string[], byDefault: string | undefined): readonly ReportLine[] {
	const more = names.length - MAX_SHOWN;
	return [
		...names.slice(0, MAX_SHOWN).map((name) => (name === byDefault ? ok(`${name} (default)`) : info(name))),
		...(more > 0 ? [info(`${more} more: deputize models --json`)] : []),
	];
}
