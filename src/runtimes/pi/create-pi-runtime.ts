import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildEnd, ChildEvent } from "../../contract/event.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { findShippedRipgrep } from "../../process/find-ripgrep.ts";
import { readExit } from "../../process/read-exit.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../../process/start-process.ts";
import { buildChildEnvironment } from "../build-child-environment.ts";
import { GRANT_VARIABLE, toChildGrant } from "../child-grant.ts";
import { createRunDirectory, type RunDirectory } from "../run-directory.ts";
import type { LaunchDescription, PreparedChild, Runtime } from "../runtime.ts";
import { buildPiArguments } from "./build-pi-arguments.ts";
import { chooseConfinement } from "./choose-confinement.ts";
import { findPi, type PiProgram } from "./find-pi.ts";
import { parsePiEvent } from "./parse-pi-event.ts";

export interface PiRuntimeOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly agentDirectory: string;
	/** Directory of the running pi's package, when this runs inside pi. */
	readonly runningPiPackage?: string;
	/** Names of variables the child's tools need, such as search keys. */
	readonly extraEnvironmentNames?: readonly string[];
}

/** Loaded by path in another process: from `src` in our own tests, from `dist` everywhere else. */
function findChildExtension(plan: ChildPlan): string {
	const name = plan.model?.startsWith("offline/") ? "offline-child-extension" : "child-extension";
	return fileURLToPath(new URL(`../../hosts/pi/${name}${extname(import.meta.url)}`, import.meta.url));
}

export function createPiRuntime(options: PiRuntimeOptions): Runtime {
	return {
		name: "pi",
		async describe(plan) {
			const launch = await describeLaunch(plan, options, join(tmpdir(), "deputize-run", "…"));
			return { ...launch, environmentNames: Object.keys(launch.env).sort() };
		},
		async prepare(plan, { signal }) {
			const directory = createRunDirectory();
			try {
				directory.write("system-prompt.md", plan.systemPrompt);
				const launch = await describeLaunch(plan, options, directory.path);
				return startChild(plan, launch, directory, signal);
			} catch (error) {
				directory.remove();
				throw error;
			}
		},
	};
}

type Launch = Omit<LaunchDescription, "environmentNames"> & {
	readonly env: Readonly<Record<string, string>>;
};

async function describeLaunch(
	plan: ChildPlan,
	options: PiRuntimeOptions,
	directory: string,
): Promise<Launch> {
	const pi = findPi({
		env: options.env,
		cwd: plan.cwd,
		...(options.runningPiPackage ? { runningPackage: options.runningPiPackage } : {}),
	});
	const args = buildPiArguments(plan, {
		systemPrompt: join(directory, "system-prompt.md"),
		childExtension: findChildExtension(plan),
		...(pi.version ? { piVersion: pi.version } : {}),
	});
	const confined = await chooseConfinement(plan, { ...options, runDirectory: directory });
	return {
		...confined.wrap(pi.command, [...pi.prefix, ...args]),
		confinement: confined.confinement,
		env: { ...childEnvironment(plan, options, pi, directory), ...confined.set },
	};
}

function childEnvironment(
	plan: ChildPlan,
	options: PiRuntimeOptions,
	pi: PiProgram,
	directory: string,
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
				toChildGrant(plan, { runDirectory: directory, agentDirectory: options.agentDirectory }),
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

function startChild(
	plan: ChildPlan,
	launch: Launch,
	directory: RunDirectory,
	signal: AbortSignal | undefined,
): PreparedChild {
	let listener: (event: ChildEvent) => void = () => undefined;
	const holds = createHolds();
	const child: SupervisedProcess = startProcess({
		command: launch.command,
		args: launch.args,
		cwd: plan.cwd,
		env: launch.env,
		...(signal ? { signal } : {}),
		limits: { ...LIMITS, ...plan.limits },
		// Its session is written and its answer is here. Commands of a writer, and other extensions, may still have to end.
		endWhenFinished: !plan.mayWrite && plan.extensions.length === 0,
		onLine(line) {
			const parsed = parsePiEvent(line);
			if (parsed.isActivity) child.noteActivity();
			for (const event of parsed.events) {
				holds.follow(event, child);
				listener(event);
				if (event.type === "settled") child.finish();
			}
		},
	});
	const ended = child.ended.finally(() => {
		holds.releaseAll();
		directory.remove();
	});
	return {
		pid: child.pid,
		confinement: launch.confinement,
		async run(task, onEvent) {
			listener = onEvent;
			onEvent({ type: "child-start", pid: child.pid });
			child.sendInput(task);
			const end = toChildEnd(await ended);
			onEvent(end);
			return end;
		},
		async discard() {
			child.stop();
			await ended;
		},
	};
}

/** A tool that runs, and pi waiting before its own retry, are not idleness. */
function createHolds(): { follow(event: ChildEvent, child: SupervisedProcess): void; releaseAll(): void } {
	const open = new Map<string, () => void>();
	const release = (key: string): void => {
		open.get(key)?.();
		open.delete(key);
	};
	return {
		follow(event, child) {
			if (event.type === "tool-start") open.set(`tool ${event.id}`, child.holdIdle());
			if (event.type === "tool-end") release(`tool ${event.id}`);
			if (event.type === "backoff-start") open.set("backoff", child.holdIdle());
			if (event.type === "backoff-end") release("backoff");
		},
		releaseAll: () => [...open.keys()].forEach(release),
	};
}

function toChildEnd(ending: ProcessEnding): ChildEnd {
	return {
		type: "child-end",
		reason: ending.reason === "finished" ? "settled" : ending.reason,
		...readExit(ending),
		...(ending.message ? { message: ending.message } : {}),
		...(ending.errorCode ? { errorCode: ending.errorCode } : {}),
		stderrTail: ending.stderrTail,
		skippedOutput: ending.skippedLines > 0,
		durationMs: ending.durationMs,
	};
}
