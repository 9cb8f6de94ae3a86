import { groupBy } from "@deputize/ground";
import type { SubagentsConfig } from "../contract/config.ts";
import type { LayerMounts } from "../sandbox/sandbox-probe.ts";
import { MECHANISM } from "../sandbox/wrap.ts";
import type { ServerDescription } from "../tools/lsp/servers/describe-servers.ts";
import type { CommandContext } from "./command-context.ts";
import { fail, info, ok, type ReportLine, warn } from "./report.ts";
import { describePart } from "./setup/list-parts.ts";
import type { MachineSurvey, ProgramState } from "./survey-machine.ts";

/** Lines about what was found on the machine. `doctor` has them in sections, `init` in one table. */

export function describePi({ pi }: MachineSurvey): readonly ReportLine[] {
	return [pi.runs ? ok(`pi ${pi.version} at ${pi.shown}`) : warn(pi.why, pi.advice)];
}

export function describeProgram({ program, found }: ProgramState): ReportLine {
	const { name, title, packageName, tested } = program;
	if (found === undefined) return info(`${name}: not on PATH (npm install -g ${packageName})`);
	const shown = `${name}: ${title} ${found.version ?? "of unknown version"} at ${found.path}`;
	if (found.silence !== undefined)
		return warn(
			`${shown} did not say what it can do: ${found.silence}`,
			`Try it: ${name} ${tested.help.join(" ")}`,
		);
	if (found.missingOptions.length > 0)
		return warn(
			`${shown} does not know ${found.missingOptions.join(", ")}`,
			`It cannot be a child. Install the version that was tested: npm install -g ${packageName}@${tested.version}`,
		);
	if (!found.isLoggedIn)
		return warn(`${shown} is not logged in`, `Run ${name} once and log in, if it should be a child.`);
	if (!found.isNewer) return ok(`${shown}, logged in`);
	return warn(
		`${shown}, logged in, is newer than ${tested.version}, which was tested`,
		"It has every option that a child needs. Should a child fail or do more than it may, report it.",
	);
}

export function describeCredentials({ credentials, decision }: MachineSurvey): readonly ReportLine[] {
	const found = credentials.map(({ provider, source }) => ok(`${provider} (${source})`));
	if ("problem" in decision) return found.length > 0 ? found : [info("None of a model provider")];
	const { notice, model, why } = decision.model;
	if (notice !== undefined) return [...found, warn(notice)];
	return found.length > 0
		? found
		: [ok(`None is needed: ${model ?? decision.runtime.name} answers (${why})`)];
}

/** A server that nobody configured answers no run by itself: other programs use these ports, too. */
export function describeLocalServers({ localServers }: MachineSurvey): readonly ReportLine[] {
	return localServers.map(({ service, address, models: [first, ...more] }) =>
		ok(
			`${service} answers at ${address}: --model ${service}/${first}${more.length > 0 ? `, and ${more.length} more (deputize models)` : ""}`,
		),
	);
}

export function describeSandbox(
	{ sandbox }: MachineSurvey,
	{ config: { subagents } }: CommandContext,
): readonly ReportLine[] {
	const mode = subagents.sandbox;
	if (sandbox.works)
		return [
			ok(`${sandbox.reason} subagents.sandbox is "${mode}"`),
			describeIsolation(sandbox.sandbox.layers, subagents),
		];
	const text = `No operating-system sandbox: ${sandbox.reason}`;
	return [
		mode === "required"
			? fail(text, "No child will start until one works.")
			: warn(text, "Readonly children are confined by their tools only."),
		warn(
			"Agents that write work in a copy beside the project, and nothing keeps them there",
			"Make a sandbox work here, and they work in a layer over the project.",
		),
	];
}

/** Where an agent that writes works, and why not in a better place. */
function describeIsolation({ how, reason }: LayerMounts, { isolation }: SubagentsConfig): ReportLine {
	if (isolation === "in-place")
		return warn(
			'subagents.isolation is "in-place": agents that write change the project itself, without a sandbox',
			'Set it to "layer".',
		);
	if (how === "none")
		return warn(
			`Agents that write work in a private copy of the project: no layer can be mounted here: ${reason}`,
			`Packages and other ignored files are read-only in a copy. A layer needs Linux 5.11 or newer and user namespaces, or ${MECHANISM.packageName} 0.11.`,
		);
	return ok(
		isolation === "layer"
			? "Agents that write work in a layer over the project, which stays as it is (subagents.isolation)"
			: 'Agents that write work in a private copy: subagents.isolation is "copy"; a layer works here too',
	);
}

/** Servers of this project's languages. What one command installs is one line. */
export function describeProjectServers(
	{ servers }: MachineSurvey,
	{ config: { lsp } }: CommandContext,
): readonly ReportLine[] {
	if (!lsp.enabled) return [info("Switched off by lsp.enabled")];
	if (servers.length === 0) return [info("No files of a language that has a server here")];
	const here = servers.filter(({ installed }) => installed);
	const missing = groupBy(
		servers.filter(({ installed }) => !installed),
		(server) => explainMissing(server),
	);
	return [
		...here.map(({ id, command, source }) => ok(`${id}: ${command} (${source})`)),
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
		? info(`${names}: no language server is installed`, first.installHint)
		: info(`${names}: ${first?.reason}`);
}

export const describeParts = ({ parts }: MachineSurvey): readonly ReportLine[] => parts.map(describePart);
