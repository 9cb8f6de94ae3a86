import { join } from "node:path";
import { asList, asObject, asText, defined, isObject, readJsonFile } from "@deputize/ground";
import { type Credential, findCredentials } from "../config/find-credentials.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { runCommand } from "../process/run-command.ts";
import { AGENT_PROGRAMS } from "../runtimes/agent-programs.ts";
import { findPi, NoPiError, type PiProgram } from "../runtimes/pi/find-pi.ts";
import type { AgentProgram } from "../runtimes/program/agent-program.ts";
import { type InspectedProgram, inspectProgram } from "../runtimes/program/inspect-program.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import type { ServerDescription } from "../tools/lsp/servers/describe-servers.ts";
import type { CommandContext } from "./command-context.ts";
import { createDecider, type DecisionHere } from "./decide-here.ts";
import { findProjectServers } from "./find-project-servers.ts";
import { type FoundService, findLocalServers } from "./find-services.ts";
import { listParts, type PartState } from "./setup/list-parts.ts";

type PiState =
	/** `hasDeputize`: this package is an extension of it. */
	| { readonly runs: true; readonly version: string; readonly shown: string; readonly hasDeputize: boolean }
	/** `why` says what is wrong, `advice` what to do. */
	| { readonly runs: false; readonly why: string; readonly advice: string };

export interface ProgramState {
	readonly program: AgentProgram;
	/** Undefined when it is not on PATH. */
	readonly found: InspectedProgram | undefined;
}

/** What is on this machine that matters to a delegation. `doctor` and `init` both look at this and at nothing else. */
export interface MachineSurvey {
	readonly pi: PiState;
	readonly programs: readonly ProgramState[];
	readonly credentials: readonly Credential[];
	/** Servers of models on this machine that answer, with what they serve. */
	readonly localServers: readonly FoundService[];
	/** What a run without a flag would come to. */
	readonly decision: DecisionHere;
	readonly sandbox: SandboxProbe;
	/** Of this project's languages; none when they are switched off. */
	readonly servers: readonly ServerDescription[];
	readonly parts: readonly PartState[];
}

export async function surveyMachine(context: CommandContext): Promise<MachineSurvey> {
	const { surroundings, config } = context;
	const [sandbox, pi, programs, localServers] = await Promise.all([
		probeSandbox({ ...surroundings, isFresh: true }),
		lookAtPi(context),
		inspectPrograms(context),
		findLocalServers(context),
	]);
	return {
		pi,
		programs,
		credentials: findCredentials(surroundings),
		localServers,
		decision: createDecider(context)({}),
		sandbox,
		servers: config.lsp.enabled ? await findProjectServers(context, sandbox.works) : [],
		parts: listParts(surroundings),
	};
}

export function inspectPrograms({ surroundings, cwd }: CommandContext): Promise<readonly ProgramState[]> {
	const { env, home } = surroundings;
	return Promise.all(
		Object.values(AGENT_PROGRAMS).map(async (program) => ({
			program,
			found: await inspectProgram(program, { env, home, cwd }),
		})),
	);
}

const VERSION_BYTES = 4096;

async function lookAtPi(context: CommandContext): Promise<PiState> {
	const { env, home, agentDirectory } = context.surroundings;
	let program: PiProgram;
	try {
		program = findPi({ env, cwd: context.cwd, ...defined({ runningPackage: context.piPackage }) });
	} catch (error) {
		if (error instanceof NoPiError) return { runs: false, why: error.why, advice: error.gain };
		if (error instanceof DelegationError)
			return { runs: false, why: "pi was not found", advice: error.message };
		throw error;
	}
	const shown = [program.command, ...program.prefix].join(" ");
	const ending = await runCommand({
		command: program.command,
		args: [...program.prefix, "--version"],
		cwd: context.cwd,
		env: { PATH: env["PATH"] ?? "", HOME: home },
		maxStdoutBytes: VERSION_BYTES,
	});
	if (ending.reason === "exit" && ending.exitCode === 0)
		return {
			runs: true,
			version: ending.stdout.toString("utf8").trim(),
			shown,
			hasDeputize: listPiPackages(agentDirectory).some((source) => OWN_SOURCE.test(source)),
		};
	const detail = ending.message ?? (ending.stderr.trim().slice(-300) || `exit code ${ending.exitCode}`);
	return {
		runs: false,
		why: `${shown} does not run: ${detail}`,
		advice: "Install pi again, or set PI_SUBAGENT_PI_BINARY.",
	};
}

/** From the registry, a repository or a directory. */
const OWN_SOURCE = /(?:^npm:|[/\\])deputize(?:@.*|\.git)?$/;

/** What `pi install` has noted for this user, each as a text or as an object with filters. */
function listPiPackages(agentDirectory: string): readonly string[] {
	const { packages } = asObject(readJsonFile(join(agentDirectory, "settings.json")));
	return asList(packages).map((entry) => asText(isObject(entry) ? entry["source"] : entry));
}
