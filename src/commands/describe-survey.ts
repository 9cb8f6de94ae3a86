import { groupBy } from "../json/group-by.ts";
import type { ServerDescription } from "../tools/lsp/servers/describe-servers.ts";
import type { CommandContext } from "./command-context.ts";
import type { ReportLine } from "./report.ts";
import { describePart } from "./setup/list-parts.ts";
import type { MachineSurvey, ProgramState } from "./survey-machine.ts";

/** Lines about what was found on the machine. `doctor` has them in sections, `init` in one table. */

export function describePi({ pi }: MachineSurvey): readonly ReportLine[] {
	return pi.runs
		? [{ status: "ok", text: `pi ${pi.version} at ${pi.shown}` }]
		: [{ status: "warn", text: pi.why, remedy: pi.advice }];
}

export function describeProgram({ program, found }: ProgramState): ReportLine {
	const { name, title, packageName, tested } = program;
	if (found === undefined) {
		return { status: "info", text: `${name}: not on PATH (npm install -g ${packageName})` };
	}
	const shown = `${name}: ${title} ${found.version ?? "of unknown version"} at ${found.path}`;
	if (found.missingOptions.length > 0) {
		return {
			status: "warn",
			text: `${shown} does not know ${found.missingOptions.join(", ")}`,
			remedy: `It cannot be a child. Install the version that was tested: npm install -g ${packageName}@${tested.version}`,
		};
	}
	if (!found.isLoggedIn) {
		return {
			status: "warn",
			text: `${shown} is not logged in`,
			remedy: `Run ${name} once and log in, if it should be a child.`,
		};
	}
	return found.isNewer
		? {
				status: "warn",
				text: `${shown}, logged in, is newer than ${tested.version}, which was tested`,
				remedy:
					"It has every option that a child needs. Should a child fail or do more than it may, report it.",
			}
		: { status: "ok", text: `${shown}, logged in` };
}

export function describeCredentials({ credentials }: MachineSurvey): readonly ReportLine[] {
	if (credentials.length === 0) {
		return [
			{
				status: "warn",
				text: "No credentials of a model provider were found; the embedded offline navigator answers",
				remedy: "Set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in with pi (/login).",
			},
		];
	}
	return credentials.map(({ provider, source }) => ({ status: "ok", text: `${provider} (${source})` }));
}

export function describeSandbox(
	{ sandbox }: MachineSurvey,
	{ config: { subagents } }: CommandContext,
): readonly ReportLine[] {
	const mode = subagents.sandbox;
	if (sandbox.works) return [{ status: "ok", text: `${sandbox.reason} subagents.sandbox is "${mode}"` }];
	return [
		{
			status: mode === "required" ? "fail" : "warn",
			text: `No operating-system sandbox: ${sandbox.reason}`,
			remedy:
				mode === "required"
					? "No child will start until one works."
					: "Readonly children are confined by their tools only.",
		},
	];
}

/** Servers of this project's languages. What one command installs is one line. */
export function describeProjectServers(
	{ servers }: MachineSurvey,
	{ config: { lsp } }: CommandContext,
): readonly ReportLine[] {
	if (!lsp.enabled) return [{ status: "info", text: "Switched off by lsp.enabled" }];
	if (servers.length === 0)
		return [{ status: "info", text: "No files of a language that has a server here" }];
	const here = servers.filter(({ installed }) => installed);
	const missing = groupBy(
		servers.filter(({ installed }) => !installed),
		(server) => explainMissing(server),
	);
	return [
		...here.map(
			({ id, command, source }): ReportLine => ({ status: "ok", text: `${id}: ${command} (${source})` }),
		),
		...[...missing].map(([, group]) => describeMissing(group)),
	];
}

/** The reason without the advice that is its end. */
function explainMissing({ id, reason = "not installed", installHint }: ServerDescription): string {
	const advice = ` Install it with: ${installHint}`;
	return reason.endsWith(advice) ? `install: ${installHint}` : `${id} ${reason}`;
}

function describeMissing(group: readonly ServerDescription[]): ReportLine {
	const [first] = group;
	const names = group.map(({ id }) => id).join(", ");
	const isAbsent = first !== undefined && explainMissing(first).startsWith("install: ");
	return isAbsent
		? { status: "info", text: `${names}: no language server is installed`, remedy: first.installHint }
		: { status: "info", text: `${names}: ${first?.reason}` };
}

export const describeParts = ({ parts }: MachineSurvey): readonly ReportLine[] => parts.map(describePart);
