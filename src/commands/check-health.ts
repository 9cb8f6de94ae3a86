import { existsSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "@deputize/ground";
import { findUnknownNames } from "../agents/find-unknown-names.ts";
import { CONFIG_FILE } from "../config/load-config.ts";
import { findExecutable } from "../process/find-executable.ts";
import { findRipgrep } from "../process/find-ripgrep.ts";
import { planProviders } from "../tools/web/search/plan-providers.ts";
import { checkDirectories } from "./check-directories.ts";
import { checkRuntimes } from "./check-runtimes.ts";
import type { CommandContext } from "./command-context.ts";
import {
	describeCredentials,
	describeLocalServers,
	describeParts,
	describePi,
	describeProjectServers,
	describeSandbox,
} from "./describe-survey.ts";
import { adviseOn, describeAgents, isUnlisted, renderModel } from "./list-agents.ts";
import {
	fail,
	info,
	ok,
	type Report,
	type ReportLine,
	type ReportSection,
	sectionIfAny,
	warn,
} from "./report.ts";
import { surveyMachine } from "./survey-machine.ts";

/** Checks for real what a delegation needs here. Every finding says what to do about it. */
export async function checkHealth(context: CommandContext): Promise<Report> {
	const survey = await surveyMachine(context);
	const sections: readonly ReportSection[] = [
		{ heading: "pi", lines: [...describePi(survey), info(`Node ${process.versions.node}`)] },
		{ heading: "Runtimes", lines: checkRuntimes(context, survey) },
		{ heading: "Configuration", lines: checkConfiguration(context) },
		{ heading: "Agents", lines: checkAgents(context) },
		{ heading: "Credentials", lines: describeCredentials(survey) },
		...sectionIfAny("Model servers on this machine", describeLocalServers(survey)),
		{ heading: "Sandbox", lines: describeSandbox(survey, context) },
		{ heading: "Search in files", lines: checkSearchTools(context) },
		{ heading: "Web search", lines: checkWebSearch(context) },
		{ heading: "Language servers of this project", lines: describeProjectServers(survey, context) },
		{ heading: "Optional parts", lines: describeParts(survey) },
		{ heading: "Directories", lines: checkDirectories(context) },
	];
	const count = (status: string): number =>
		sections.flatMap((section) => section.lines).filter((line) => line.status === status).length;
	return {
		title: `Doctor: ${count("fail")} to fix, ${count("warn")} to look at, ${count("ok")} in order`,
		sections,
		data: { sections },
	};
}

function checkConfiguration(context: CommandContext): readonly ReportLine[] {
	const problems = context.problems.map(({ severity, message, file }) =>
		(severity === "error" ? fail : warn)(message, `Correct ${file}`),
	);
	return [
		...(problems.length > 0 ? problems : [ok("All keys are known and have the right type")]),
		...checkRiskyKeys(context),
		...listConfigFiles(context),
	];
}

function checkRiskyKeys({ config: { subagents } }: CommandContext): readonly ReportLine[] {
	const deep = warn(
		`subagents.maxDepth is ${subagents.maxDepth}`,
		"Children never get the subagent tool, so a value above 1 changes nothing inside pi.",
	);
	const write = warn(
		"subagents.allowWrite is on",
		"Custom agents that are not readonly get the tools they name. Experimental: work in a clean Git tree and review every change.",
	);
	return [...(subagents.maxDepth > 1 ? [deep] : []), ...(subagents.allowWrite ? [write] : [])];
}

function listConfigFiles({ surroundings, cwd, projectTrust }: CommandContext): readonly ReportLine[] {
	const user = join(surroundings.agentDirectory, CONFIG_FILE);
	const project = join(cwd, ".pi", CONFIG_FILE);
	const own = info(existsSync(user) ? user : `${user} (not there: defaults are used)`);
	if (!existsSync(project)) return [own];
	if (projectTrust) return [own, info(project)];
	const remedy =
		"Trust the project with /trust in pi if its settings should apply. They can only tighten yours.";
	return [own, warn(`${project} is not read: the project is not trusted`, remedy)];
}

function checkAgents(context: CommandContext): readonly ReportLine[] {
	const { agents: all, skipped } = describeAgents(context);
	const agents = all.filter((agent) => !isUnlisted(agent));
	const names = `${agents.length} agents: ${agents.map(({ name }) => name).join(", ")}`;
	const unready = agents.filter(({ state }) => state !== "ready");
	return [
		agents.length > 0 ? ok(names) : fail(names),
		...[...groupBy(agents, renderModel)].map(([model, group]) =>
			info(`${group.map(({ name }) => name).join(", ")}: ${model}`),
		),
		...findUnknownNames(context.config.subagents, all).map(({ text }) =>
			warn(text, "Correct the name in deputize.json if it is not an agent of another project."),
		),
		...unready.map((agent) => warn(`${agent.name}: ${agent.state}`, adviseOn(agent))),
		...agents.flatMap(({ name, file, doubts }) =>
			doubts.map((doubt) => warn(`${name}: ${doubt}`, `Correct ${file}.`)),
		),
		...skipped.map(({ file, reason }) =>
			warn(
				`skipped ${file}: ${reason}`,
				"Correct the file, or move it to another directory if it is no agent.",
			),
		),
	];
}

function checkSearchTools(context: CommandContext): readonly ReportLine[] {
	const { env } = context.surroundings;
	const ripgrep = findRipgrep(env);
	const fd = findExecutable("fd", env) ?? findExecutable("fdfind", env);
	return [
		ripgrep
			? ok(`ripgrep at ${ripgrep}`)
			: fail("ripgrep was not found", "Install ripgrep: grep and find of children need it."),
		info(fd ? `fd at ${fd}` : "fd is not installed; find of children runs on ripgrep"),
	];
}

function checkWebSearch(context: CommandContext): readonly ReportLine[] {
	if (!context.config.web.enabled) return [info("Switched off by web.enabled")];
	const providers = planProviders(context.config.web, context.surroundings.env);
	const usable = providers.filter((row) => row.usable);
	const unusable = providers.filter((row) => !row.usable);
	const reasons = unusable.map(({ provider, reason }) => `${provider} (${reason})`);
	return [
		...usable.map(({ provider, reason }) => ok(`${provider}: ${reason}`)),
		...(reasons.length === 0 ? [] : [info(`Not used: ${reasons.join("; ")}`)]),
	];
}
