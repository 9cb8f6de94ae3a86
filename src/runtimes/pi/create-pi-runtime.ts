import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import type { ChildPlan } from "../../contract/plan.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { findShippedRipgrep } from "../../process/find-ripgrep.ts";
import { buildChildEnvironment } from "../build-child-environment.ts";
import { GRANT_VARIABLE, toChildGrant } from "../child-grant.ts";
import { createRunDirectory } from "../run-directory.ts";
import type { Runtime } from "../runtime.ts";
import { type ChildLaunch, startChild } from "../start-child.ts";
import { buildPiArguments } from "./build-pi-arguments.ts";
import { chooseConfinement } from "./choose-confinement.ts";
import { findPi, type PiProgram } from "./find-pi.ts";
import { parsePiEvent, parseSkippedPiEvent } from "./parse-pi-event.ts";

export interface PiRuntimeOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly agentDirectory: string;
	/** Directory of the running pi's package, when this runs inside pi. */
	readonly runningPiPackage?: string;
	/** Names of variables the child's tools need, such as search keys. */
	readonly extraEnvironmentNames?: readonly string[];
}

function listOwnExtensions(plan: ChildPlan, rehearsalApi: string | undefined): readonly string[] {
	if (plan.model?.startsWith("offline/")) return [locateEntryPoint("pi-offline-child-extension")];
	const child = locateEntryPoint("pi-child-extension");
	return rehearsalApi === undefined ? [child] : [child, locateEntryPoint("pi-rehearsal-extension")];
}

export function createPiRuntime(options: PiRuntimeOptions): Runtime {
	return {
		name: "pi",
		async describe(plan) {
			const launch = await describeLaunch(plan, options, {
				directory: join(options.agentDirectory, "deputize", "runs", "…"),
			});
			const { command, args, confinement, env } = launch;
			return { command, args, confinement, environmentNames: Object.keys(env).sort() };
		},
		async prepare(plan, { signal, rehearsalApi }) {
			const directory = createRunDirectory(options.agentDirectory);
			try {
				directory.write("system-prompt.md", plan.systemPrompt);
				const launch = await describeLaunch(plan, options, {
					directory: directory.path,
					...(rehearsalApi ? { rehearsalApi } : {}),
				});
				return startChild(
					plan,
					launch,
					{
						readLine: parsePiEvent,
						readSkippedLine: parseSkippedPiEvent,
						writeTask: (task) => task,
						// Its session is written and its answer is here. Commands of a writer, and other extensions, may still have to end.
						endWhenFinished: !plan.mayWrite && plan.extensions.length === 0,
						cleanUp: directory.remove,
					},
					signal,
				);
			} catch (error) {
				directory.remove();
				throw error;
			}
		},
	};
}

interface RunPlace {
	readonly directory: string;
	readonly rehearsalApi?: string;
}

async function describeLaunch(
	plan: ChildPlan,
	options: PiRuntimeOptions,
	run: RunPlace,
): Promise<ChildLaunch> {
	const pi = findPi({
		env: options.env,
		cwd: plan.cwd,
		...(options.runningPiPackage ? { runningPackage: options.runningPiPackage } : {}),
	});
	const args = buildPiArguments(plan, {
		systemPrompt: join(run.directory, "system-prompt.md"),
		ownExtensions: listOwnExtensions(plan, run.rehearsalApi),
		...(pi.version ? { piVersion: pi.version } : {}),
	});
	const confined = await chooseConfinement(plan, { ...options, runDirectory: run.directory });
	return {
		...confined.wrap(pi.command, [...pi.prefix, ...args]),
		confinement: confined.confinement,
		env: { ...childEnvironment(plan, options, pi, run), ...confined.set },
	};
}

function childEnvironment(
	plan: ChildPlan,
	options: PiRuntimeOptions,
	pi: PiProgram,
	{ directory, ...run }: RunPlace,
): Readonly<Record<string, string>> {
	return buildChildEnvironment({
		env: options.env,
		mayWrite: plan.mayWrite,
		extraNames: [...(options.extraEnvironmentNames ?? []), ...namesInModelsFile(options.agentDirectory)],
		set: {
			...ripgrepPath(options.env),
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			[GRANT_VARIABLE]: JSON.stringify(
				toChildGrant(plan, { runDirectory: directory, agentDirectory: options.agentDirectory, ...run }),
			),
			// Only the running pi may say where its package is; a stale value would mix two versions.
			...(pi.version ? {} : passThrough(options.env, "PI_PACKAGE_DIR")),
		},
	});
}

function passThrough(
	env: Readonly<Record<string, string | undefined>>,
	name: string,
): Record<string, string> {
	const value = env[name];
	return value === undefined ? {} : { [name]: value };
}

/** pi's `grep` looks for rg on PATH and otherwise tries to download it: ours goes last, the user's own wins. */
function ripgrepPath(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
	if (findExecutable("rg", env)) return {};
	const shipped = findShippedRipgrep();
	return shipped ? { PATH: [env["PATH"], dirname(shipped)].filter(Boolean).join(delimiter) } : {};
}

/** pi's models.json may name any variable as the key of a provider of the user's own. */
function namesInModelsFile(agentDirectory: string): readonly string[] {
	try {
		const text = readFileSync(join(agentDirectory, "models.json"), "utf8");
		return [...text.matchAll(/"\$?\{?([A-Z][A-Z0-9_]{2,63})\}?"/g)].map((match) => match[1] ?? "");
	} catch {
		return [];
	}
}
