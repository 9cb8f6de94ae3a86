import { existsSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, parseJsonObject, peekEventType } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { DelegationError } from "../../contract/error-codes.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { NO_USAGE } from "../../contract/usage.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { buildChildEnvironment } from "../build-child-environment.ts";
import { chooseConfinement } from "../choose-confinement.ts";
import { type LentLogin, lendLoginFile, takeBackLogin } from "../lend-login-file.ts";
import { PROGRAM_LOGINS } from "../program-logins.ts";
import { nameRunDirectory, startInRunDirectory } from "../run-directory.ts";
import { describeLaunch, type Runtime } from "../runtime.ts";
import { type ChildDialect, startChild } from "../start-child.ts";
import type { ChildLaunch } from "../start-event-process.ts";
import type { AgentProgram, EventReader, ProgramPlace } from "./agent-program.ts";
import { buildHandoverSchema } from "./build-handover-schema.ts";
import { keepTranscript, restoreTranscript } from "./keep-transcript.ts";
import { describeToolServer, listServedTools } from "./tool-server.ts";

/** Children that are the command line programs of other agents, on the login the user has there. */
export function createProgramRuntime(program: AgentProgram, surroundings: UserPlace): Runtime {
	return {
		name: program.name,
		async describe(plan) {
			const launch = await describeProgramLaunch(plan, program, surroundings, {
				directory: nameRunDirectory(surroundings.agentDirectory),
				resumes: plan.session.resumed ? plan.session.id : undefined,
				lend: () => undefined,
			});
			return describeLaunch(launch);
		},
		prepare: (plan, { signal }) =>
			startInRunDirectory(surroundings.agentDirectory, async (directory) => {
				const place = layOutRun(directory.path);
				const { home, loginDirectory, temporaryDirectory } = place;
				for (const path of [home, loginDirectory, temporaryDirectory]) mkdirSync(path, { mode: 0o700 });
				directory.write(SYSTEM_PROMPT, plan.systemPrompt);
				directory.write(SCHEMA, JSON.stringify(buildHandoverSchema(plan)));
				const before = restoreTranscript(home, plan.session.file);
				const launch = await describeProgramLaunch(plan, program, surroundings, {
					directory: directory.path,
					resumes: before?.name,
					lend: () => lendProgramLogin(plan, program, surroundings, place),
				});
				for (const [name, text] of Object.entries(launch.files)) directory.write(join(HOME, name), text);
				const login = launch.login ?? placeLogin(plan, program, surroundings, place);
				const reader = program.createReader(plan, before?.spent ?? NO_USAGE, surroundings);
				const cleanUp = (): void => {
					try {
						login.giveBack();
						keepTranscript(home, plan.session, {
							runtime: program.name,
							cwd: plan.cwd,
							name: reader.sessionName() ?? before?.name ?? plan.session.id,
							spent: reader.total(),
						});
					} catch {
						// A transcript that cannot be written cannot be continued; the result says whether a session can be.
					} finally {
						directory.remove();
					}
				};
				return startChild(plan, launch, createDialect(program, reader, cleanUp), signal);
			}),
	};
}

const HOME = "home";
const SYSTEM_PROMPT = "system-prompt.md";
const SCHEMA = "handover-schema.json";

function layOutRun(directory: string): ProgramPlace {
	return {
		home: join(directory, HOME),
		loginDirectory: join(directory, "login"),
		temporaryDirectory: join(directory, "tmp"),
		systemPromptFile: join(directory, SYSTEM_PROMPT),
		schemaFile: join(directory, SCHEMA),
	};
}

interface Run {
	readonly directory: string;
	readonly resumes: string | undefined;
	lend(): LentLogin | undefined;
}

interface Launch extends ChildLaunch {
	readonly files: Readonly<Record<string, string>>;
	readonly login: LentLogin | undefined;
}

async function describeProgramLaunch(
	plan: ChildPlan,
	program: AgentProgram,
	surroundings: UserPlace,
	run: Run,
): Promise<Launch> {
	const command = findProgram(program, surroundings.env);
	const place = layOutRun(run.directory);
	let login: LentLogin | undefined;
	let isLent = false;
	const confined = await chooseConfinement(describeConfined(plan, program), {
		...surroundings,
		runDirectory: run.directory,
		sandbox() {
			isLent = true;
			login = run.lend();
			return {
				temporaryDirectory: place.temporaryDirectory,
				programs: [command],
				hidden: [surroundings.agentDirectory],
				writable: login?.isWritable ? [dirname(login.file)] : [],
			};
		},
	});
	if (plan.worksInLayer && confined.confinement !== "os-sandbox")
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`${program.title} works in a layer only inside of a sandbox, and none works here: ${confined.probeInside?.reason ?? "see deputize doctor"} Choose the runtime pi or loop for ${plan.agent.name}.`,
		);
	const { args, files, passedNames, set } = program.describe(
		plan,
		login ? { ...place, loginDirectory: dirname(login.file) } : place,
		{
			...{ surroundings, command, resumes: run.resumes, isLent },
			toolServer: describeToolServer(plan, listServedTools(plan, program.servedKinds), {
				runDirectory: run.directory,
				agentDirectory: surroundings.agentDirectory,
				workspace: confined.workspace,
			}),
		},
	);
	const env = buildChildEnvironment({
		env: dropNames(surroundings.env, program.ownNames),
		mayWrite: plan.mayWrite,
		extraNames: passedNames,
		set: {
			TMPDIR: place.temporaryDirectory,
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			...set,
		},
	});
	const isInOwnSandbox = program.sandbox === "own" && !plan.mayWrite && !plan.worksInLayer;
	const confinement = isInOwnSandbox ? "os-sandbox" : confined.confinement;
	return { ...confined.wrap(command, args), confinement, env, files, login };
}

/** These programs do not use our language servers, and those with a sandbox of their own do not work inside of ours. */
function describeConfined({ lspSocket: _, ...plan }: ChildPlan, { sandbox }: AgentProgram): ChildPlan {
	return sandbox === "own" && !plan.worksInLayer ? { ...plan, sandbox: "off" } : plan;
}

function dropNames(env: UserPlace["env"], names: RegExp): Environment {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !names.test(name)));
}

/** For programs in our sandbox, which hides the user's own file from them. */
function lendProgramLogin(
	plan: ChildPlan,
	program: AgentProgram,
	surroundings: UserPlace,
	place: ProgramPlace,
): LentLogin | undefined {
	const { fileName, findDirectory } = PROGRAM_LOGINS[program.name];
	const { format, isInHome } = program.login;
	const shared = join(surroundings.agentDirectory, "deputize", "lent-logins", program.name, fileName);
	const ownCopy = join(isInHome ? place.home : place.loginDirectory, fileName);
	return lendLoginFile({
		...{ format, ownCopy, sharedCopy: isInHome ? ownCopy : shared },
		real: join(findDirectory(surroundings), fileName),
		timeoutMs: plan.limits.timeoutMs,
	});
}

/**
 * A program that is not in our sandbox uses the user's own login. One that looks for it in its own directory gets a copy
 * there, which its commands are denied: a link into a directory that is denied as a whole keeps Codex's sandbox from
 * starting at all. A child that may write has a link; if it replaces that with a file, newer tokens in it are taken back.
 */
function placeLogin(
	plan: ChildPlan,
	program: AgentProgram,
	surroundings: UserPlace,
	place: ProgramPlace,
): Pick<LentLogin, "giveBack"> {
	const { fileName, findDirectory } = PROGRAM_LOGINS[program.name];
	const { format, isInHome } = program.login;
	if (!isInHome) return { giveBack: () => undefined };
	const real = join(findDirectory(surroundings), fileName);
	const link = join(place.home, fileName);
	if (!plan.mayWrite) {
		const { timeoutMs } = plan.limits;
		const lent = lendLoginFile({ real, format, ownCopy: link, sharedCopy: link, timeoutMs });
		return lent ?? { giveBack: () => undefined };
	}
	if (existsSync(real)) symlinkSync(real, link);
	return {
		giveBack() {
			if (lstatSync(link, { throwIfNoEntry: false })?.isFile() === true) takeBackLogin(link, real, format);
		},
	};
}

function createDialect(program: AgentProgram, reader: EventReader, cleanUp: () => void): ChildDialect {
	return {
		readLine(line) {
			const event = parseJsonObject(line.toString("utf8"));
			return { isActivity: event !== undefined, events: event === undefined ? [] : reader.read(event) };
		},
		// A tool's result is for the model, not for us; anything else that long is lost output.
		readSkippedLine: (head) => ({
			events: [],
			...(program.toolResultTypes.includes(peekEventType(head) ?? "")
				? {}
				: { lost: "a part of its output" }),
		}),
		writeTask: program.writeTask,
		get endWhenFinished() {
			return reader.isHopeless();
		},
		isSettledExitIgnored: true,
		cleanUp,
	};
}

function findProgram(
	program: Pick<AgentProgram, "name" | "title" | "packageName">,
	env: Environment,
): string {
	const found = findExecutable(program.name, env);
	if (found !== undefined) return found;
	throw new DelegationError(
		"SUBAGENT_FAILED",
		`${program.title} was not found: there is no ${program.name} on PATH. Install it with npm install -g ${program.packageName} and log in, or choose another runtime.`,
	);
}
