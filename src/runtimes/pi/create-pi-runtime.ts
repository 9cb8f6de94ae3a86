import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { defined, type Environment } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { isOfflineModel } from "../../contract/offline-model.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { findShippedRipgrep } from "../../process/find-ripgrep.ts";
import { buildChildEnvironment, usesSearchKeys } from "../build-child-environment.ts";
import { GRANT_VARIABLE, toChildGrant } from "../child-grant.ts";
import { type ChosenConfinement, chooseConfinement } from "../choose-confinement.ts";
import type { LentLogin } from "../lend-login-file.ts";
import { nameRunDirectory, startInRunDirectory } from "../run-directory.ts";
import { describeLaunch, type Runtime } from "../runtime.ts";
import { startChild } from "../start-child.ts";
import type { ChildLaunch } from "../start-event-process.ts";
import { buildPiArguments } from "./build-pi-arguments.ts";
import { describePiSandbox } from "./describe-pi-sandbox.ts";
import { findPi, type PiProgram } from "./find-pi.ts";
import { lendAgentDirectory } from "./lend-agent-directory.ts";
import { lendLogin } from "./lend-login.ts";
import { findModelProvider, listModelVariables } from "./list-model-variables.ts";
import { type CodeCache, openCodeCache } from "./open-code-cache.ts";
import { parsePiEvent, parseSkippedPiEvent } from "./parse-pi-event.ts";
import { toPlainPrompt } from "./to-plain-prompt.ts";

export interface PiRuntimeOptions extends UserPlace {
	/** Directory of the running pi's package, when this runs inside pi. */
	readonly runningPiPackage?: string | undefined;
	/** Variables with the keys of search providers, for children that may search. */
	readonly searchKeyNames?: readonly string[];
}

export function createPiRuntime(options: PiRuntimeOptions): Runtime {
	return {
		name: "pi",
		async describe(plan) {
			const directory = nameRunDirectory(options.agentDirectory);
			return describeLaunch(await describePiLaunch(plan, options, { directory }));
		},
		prepare: (plan, { signal, waits }) =>
			startInRunDirectory(options.agentDirectory, async (directory) => {
				directory.write("system-prompt.md", plan.systemPrompt);
				mkdirSync(join(directory.path, TEMPORARY), { mode: 0o700 });
				const login = lendLogin({
					agentDirectory: options.agentDirectory,
					runDirectory: directory.path,
					provider: findModelProvider(plan.model, options),
					timeoutMs: plan.limits.timeoutMs,
				});
				const agentDirectory = lendAgentDirectory({
					agentDirectory: options.agentDirectory,
					runDirectory: directory.path,
					loginFile: login?.file,
				});
				const run = { directory: directory.path, waits, login, agentDirectory };
				const { codeCache, ...launch } = await describePiLaunch(plan, options, run);
				if (waits || plan.extensions.length > 0) codeCache.copyExtensions(join(directory.path, TEMPORARY));
				if (launch.confinement === "os-sandbox") void codeCache.fill();
				return startChild(
					plan,
					launch,
					{
						readLine: parsePiEvent,
						readSkippedLine: parseSkippedPiEvent,
						writeTask: toPlainPrompt,
						takesMessages: true,
						// Its session is written and its answer has arrived. Commands of a child that may write, and other extensions, may still be running.
						endWhenFinished: !plan.mayWrite && plan.extensions.length === 0,
						cleanUp() {
							login?.giveBack();
							directory.remove();
						},
					},
					signal,
				);
			}),
	};
}

function locateExtension(plan: ChildPlan, { waits }: RunPlace): string {
	return waits && !isOfflineModel(plan.model)
		? locateEntryPoint("pi-waiting-child-extension")
		: locateEntryPoint("pi-child-extension");
}

/** In the run directory: what a child leaves there goes with its run. */
const TEMPORARY = "tmp";

interface RunPlace {
	readonly directory: string;
	readonly waits?: boolean | undefined;
	readonly login?: LentLogin | undefined;
	/** In place of the real one. */
	readonly agentDirectory?: string | undefined;
}

async function describePiLaunch(
	plan: ChildPlan,
	given: PiRuntimeOptions,
	run: RunPlace,
): Promise<ChildLaunch & { readonly codeCache: CodeCache }> {
	const pi = findPi({ env: given.env, cwd: plan.cwd, runningPackage: given.runningPiPackage });
	const codeCache = openCodeCache(pi, given);
	const options = { ...given, env: codeCache.env };
	const args = buildPiArguments(plan, {
		systemPrompt: join(run.directory, "system-prompt.md"),
		ownExtension: locateExtension(plan, run),
		...defined({ piVersion: pi.version }),
	});
	const { agentDirectory } = options;
	const confined = await chooseConfinement(plan, {
		...options,
		runDirectory: run.directory,
		sandbox: () =>
			describePiSandbox(plan, {
				agentDirectory,
				temporaryDirectory: join(run.directory, TEMPORARY),
				program: pi.prefix,
				login: run.login,
			}),
	});
	return {
		...confined.wrap(pi.command, [...pi.prefix, ...args]),
		confinement: confined.confinement,
		env: { ...childEnvironment(plan, options, pi, { ...run, ...confined }), ...confined.set },
		codeCache,
	};
}

function childEnvironment(
	plan: ChildPlan,
	options: PiRuntimeOptions,
	pi: PiProgram,
	{
		directory,
		agentDirectory,
		confinement,
		workspace,
	}: RunPlace & Pick<ChosenConfinement, "confinement" | "workspace">,
): Readonly<Record<string, string>> {
	return buildChildEnvironment({
		env: options.env,
		mayWrite: plan.mayWrite,
		extraNames: [
			...listModelVariables(plan.model, options),
			...(plan.tools.some(usesSearchKeys) ? (options.searchKeyNames ?? []) : []),
		],
		set: {
			...ripgrepPath(options.env),
			...defined({ PI_CODING_AGENT_DIR: agentDirectory }),
			// What pi makes of extensions is kept in the temporary directory and run from there; that of a child with the user's
			// commands is the user's, and may be shared.
			...(plan.mayWrite
				? { JITI_FS_CACHE: options.env["JITI_FS_CACHE"] ?? "false" }
				: { TMPDIR: join(directory, TEMPORARY) }),
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			PI_SUBAGENT_RUN: plan.runId,
			[GRANT_VARIABLE]: JSON.stringify(
				toChildGrant(plan, {
					runDirectory: directory,
					agentDirectory: options.agentDirectory,
					isConfined: confinement === "os-sandbox",
					workspace,
				}),
			),
			// Only the running pi knows where its package is; a stale value would mix two versions.
			...(pi.version ? {} : defined({ PI_PACKAGE_DIR: options.env["PI_PACKAGE_DIR"] })),
		},
	});
}

/** pi's `grep` looks for rg on PATH and otherwise tries to download it. Ours goes last, so that the user's own wins. */
function ripgrepPath(env: Environment): Record<string, string> {
	if (findExecutable("rg", env)) return {};
	const shipped = findShippedRipgrep();
	return shipped ? { PATH: [env["PATH"], dirname(shipped)].filter(Boolean).join(delimiter) } : {};
}
