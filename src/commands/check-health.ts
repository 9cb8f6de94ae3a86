import { existsSync } from "node:fs";
import { join } from "node:path";
import type { discoverAgents } from "../agents/discover-agents.ts";
import { findCredentials } from "../config/find-credentials.ts";
import { CONFIG_FILE } from "../config/load-config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { SandboxProbe } from "../contract/sandbox-probe.ts";
import { findExecutable } from "../process/find-executable.ts";
import { findRipgrep } from "../process/find-ripgrep.ts";
import { probeSandbox } from "../process/probe-sandbox.ts";
import { runCommand } from "../process/run-command.ts";
import { findPi, type PiProgram } from "../runtimes/pi/find-pi.ts";
import { describeServers } from "../tools/lsp/servers/describe-servers.ts";
import { describeSearchProviders } from "../tools/web/create-web-tools.ts";
import { checkDirectories } from "./check-directories.ts";
import { checkRuntimes } from "./check-runtimes.ts";
import type { CommandContext } from "./command-context.ts";
import { adviseOn, type ListedAgent, listAgents, renderModel } from "./list-agents.ts";
import type { Report, ReportLine, ReportSection } from "./report.ts";

/** Checks for real what a delegation needs here. Every finding says what to do about it. */
export async function checkHealth(context: CommandContext): Promise<Report> {
	const probe = await probeSandbox(context.surroundings.env);
	const sections: readonly ReportSection[] = [
		{ heading: "pi", lines: await checkPi(context) },
		{ heading: "Runtimes", lines: await checkRuntimes(context) },
		{ heading: "Configuration", lines: checkConfiguration(context) },
		{ heading: "Agents", lines: checkAgents(context) },
		{ heading: "Credentials", lines: checkCredentials(context) },
		{ heading: "Sandbox", lines: checkSandbox(context, probe) },
		{ heading: "Search in files", lines: checkSearchTools(context) },
		{ heading: "Web search", lines: checkWebSearch(context) },
		{ heading: "Language servers", lines: checkServers(context, probe.works) },
		{ heading: "Directories", lines: checkDirectories(context) },
	];
	const count = (status: string): number =>
		sections.flatMap((section) => section.lines).filter((line) => line.status === status).length;
	return {
		title: `Doctor: ${count("fail")} to mend, ${count("warn")} to look at, ${count("ok")} in order`,
		sections,
		data: { sections },
	};
}

const VERSION_TIMEOUT_MS = 20_000;
const VERSION_BYTES = 4096;

async function checkPi(context: CommandContext): Promise<readonly ReportLine[]> {
	const { env } = context.surroundings;
	let program: PiProgram;
	try {
		program = findPi({
			env,
			cwd: context.cwd,
			...(context.piPackage ? { runningPackage: context.piPackage } : {}),
		});
	} catch (error) {
		if (!(error instanceof DelegationError)) throw error;
		return [{ status: "fail", text: "pi was not found", remedy: error.message }];
	}
	const shown = [program.command, ...program.prefix].join(" ");
	const ending = await runCommand({
		command: program.command,
		args: [...program.prefix, "--version"],
		cwd: context.cwd,
		env: { PATH: env["PATH"] ?? "", HOME: context.surroundings.home },
		timeoutMs: VERSION_TIMEOUT_MS,
		maxStdoutBytes: VERSION_BYTES,
	});
	if (ending.reason === "exit" && ending.exitCode === 0) {
		const version = ending.stdout.toString("utf8").trim();
		return [
			{ status: "ok", text: `pi ${version} at ${shown}` },
			{ status: "info", text: `Node ${process.versions.node}` },
		];
	}
	const detail = ending.message ?? (ending.stderr.trim().slice(-300) || `exit code ${ending.exitCode}`);
	return [
		{
			status: "fail",
			text: `${shown} does not run: ${detail}`,
			remedy: "Install pi again, or set PI_SUBAGENT_PI_BINARY.",
		},
	];
}

function checkConfiguration(context: CommandContext): readonly ReportLine[] {
	const problems = context.problems.map(
		(problem): ReportLine => ({
			status: problem.severity === "error" ? "fail" : "warn",
			text: problem.message,
			remedy: `Correct ${problem.file}`,
		}),
	);
	const fine: readonly ReportLine[] =
		problems.length === 0 ? [{ status: "ok", text: "All keys are known and have the right type" }] : [];
	return [...problems, ...fine, ...checkRiskyKeys(context), ...listConfigFiles(context)];
}

function checkRiskyKeys({ config: { subagents } }: CommandContext): readonly ReportLine[] {
	const deep: ReportLine = {
		status: "warn",
		text: `subagents.maxDepth is ${subagents.maxDepth}`,
		remedy: "Children never get the subagent tool, so a value above 1 changes nothing inside pi.",
	};
	const write: ReportLine = {
		status: "warn",
		text: "subagents.allowWrite is on",
		remedy:
			"Custom agents that are not readonly get the tools they name. Experimental: work in a clean Git tree and review every change.",
	};
	return [...(subagents.maxDepth > 1 ? [deep] : []), ...(subagents.allowWrite ? [write] : [])];
}

function listConfigFiles({ surroundings, cwd, projectTrust }: CommandContext): readonly ReportLine[] {
	const user = join(surroundings.agentDirectory, CONFIG_FILE);
	const project = join(cwd, ".pi", CONFIG_FILE);
	const own: ReportLine = {
		status: "info",
		text: existsSync(user) ? user : `${user} (not there: defaults are used)`,
	};
	if (!existsSync(project)) return [own];
	if (projectTrust) return [own, { status: "info", text: project }];
	const remedy =
		"Trust the project with /trust in pi if its settings should apply. They can only tighten yours.";
	return [own, { status: "warn", text: `${project} is not read: the project is not trusted`, remedy }];
}

function checkAgents(context: CommandContext): readonly ReportLine[] {
	const { agents, skipped } = listAgents(context).data as {
		agents: readonly ListedAgent[];
		skipped: ReturnType<typeof discoverAgents>["skipped"];
	};
	const unready = agents.filter((agent) => agent.state !== "ready");
	return [
		{
			status: agents.length > 0 ? "ok" : "fail",
			text: `${agents.length} agents: ${agents.map((agent) => agent.name).join(", ")}`,
		},
		...agents.map((agent): ReportLine => ({ status: "info", text: `${agent.name}: ${renderModel(agent)}` })),
		...listUnknownNames(context, agents),
		...unready.map(
			(agent): ReportLine => ({
				status: "warn",
				text: `${agent.name}: ${agent.state}`,
				remedy: adviseOn(agent),
			}),
		),
		...agents.flatMap(({ name, file, doubts }) =>
			doubts.map(
				(doubt): ReportLine => ({ status: "warn", text: `${name}: ${doubt}`, remedy: `Correct ${file}.` }),
			),
		),
		...skipped.map(
			({ file, reason }): ReportLine => ({
				status: "warn",
				text: `skipped ${file}: ${reason}`,
				remedy: "Correct the file, or move it to another directory if it is no agent.",
			}),
		),
	];
}

/** A setting for an agent that does not exist does nothing, and its author believes that it does. */
function listUnknownNames(
	{ config: { subagents } }: CommandContext,
	agents: readonly ListedAgent[],
): readonly ReportLine[] {
	const known = new Set(agents.map(({ name }) => name.toLowerCase()));
	return Object.keys(subagents.agents)
		.filter((name) => !known.has(name.toLowerCase()))
		.map((name) => ({
			status: "warn",
			text: `subagents.agents.${name}: there is no agent of that name here`,
			remedy: "Correct the name in deputize.json if it is not an agent of another project.",
		}));
}

function checkCredentials(context: CommandContext): readonly ReportLine[] {
	const found = findCredentials(context.surroundings);
	if (found.length === 0) {
		return [
			{
				status: "warn",
				text: "No credentials of a model provider were found; the embedded offline navigator answers",
				remedy: "Set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in with pi (/login).",
			},
		];
	}
	return found.map(({ provider, source }) => ({ status: "ok", text: `${provider} (${source})` }));
}

function checkSandbox(context: CommandContext, probe: SandboxProbe): readonly ReportLine[] {
	const mode = context.config.subagents.sandbox;
	if (probe.works) return [{ status: "ok", text: `${probe.reason} subagents.sandbox is "${mode}"` }];
	return [
		{
			status: mode === "required" ? "fail" : "warn",
			text: `No operating-system sandbox: ${probe.reason}`,
			remedy:
				mode === "required"
					? "No child will start until one works."
					: "Readonly children are confined by their tools only.",
		},
	];
}

function checkSearchTools(context: CommandContext): readonly ReportLine[] {
	const { env } = context.surroundings;
	const ripgrep = findRipgrep(env);
	const fd = findExecutable("fd", env) ?? findExecutable("fdfind", env);
	return [
		ripgrep
			? { status: "ok", text: `ripgrep at ${ripgrep}` }
			: {
					status: "fail",
					text: "ripgrep was not found",
					remedy: "Install ripgrep: grep and find of children need it.",
				},
		{ status: "info", text: fd ? `fd at ${fd}` : "fd is not installed; find of children runs on ripgrep" },
	];
}

function checkWebSearch(context: CommandContext): readonly ReportLine[] {
	if (!context.config.web.enabled) return [{ status: "info", text: "Switched off by web.enabled" }];
	return describeSearchProviders(context.config.web, context.surroundings.env).map(
		({ provider, usable, reason }) => ({
			status: usable ? "ok" : "info",
			text: `${provider}: ${reason}`,
		}),
	);
}

function checkServers(context: CommandContext, isBoxed: boolean): readonly ReportLine[] {
	if (!context.config.lsp.enabled) return [{ status: "info", text: "Switched off by lsp.enabled" }];
	const trusted = context.projectTrust === true;
	return describeServers(context.config.lsp, {
		env: context.surroundings.env,
		workspace: context.cwd,
		trusted,
		isBoxed: isBoxed && context.config.lsp.sandbox !== "off",
	}).map((server) =>
		server.installed
			? { status: "ok", text: `${server.id}: ${server.command} (${server.source})` }
			: {
					status: "info",
					text: `${server.id}: ${server.reason ?? "not installed"}`,
					remedy: server.installHint,
				},
	);
}
