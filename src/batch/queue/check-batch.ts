import { resolve } from "node:path";
import { defined, type Environment, toOneLine } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { isRuntimeName } from "../../contract/agent.ts";
import type { DeputizeConfig } from "../../contract/config.ts";
import { readPackageVersion } from "../../contract/read-package-version.ts";
import type { DelegateOptions } from "../../delegation/delegate-options.ts";
import { loadProjectConfig } from "../../delegation/load-project-config.ts";
import { probeSandbox } from "../../sandbox/probe-sandbox.ts";
import { BatchError } from "../batch-error.ts";
import { decideBatchAgent } from "../decide-batch-agent.ts";
import type { BatchEntry } from "./directory.ts";
import { readWorkspaceIdentity } from "./read-workspace-identity.ts";

export interface WorkerPermissions {
	/** Directories by the name that batches use. */
	readonly workspaces: ReadonlyMap<string, string>;
	/** Names of the agents that may run. */
	readonly agents: readonly string[];
	readonly env: Environment;
}

type ReadIdentity = typeof readWorkspaceIdentity;

/** Each directory once: a thousand batches for other commits must not keep a worker from the one that it may run. */
export function createIdentityReader(): ReadIdentity {
	const known = new Map<string, Promise<string>>();
	return (directory, env) => {
		const reading = known.get(directory) ?? readWorkspaceIdentity(directory, env);
		known.set(directory, reading);
		return reading;
	};
}

type BatchVerdict =
	| { readonly accepted: true; readonly delegate: DelegateOptions; readonly services: readonly string[] }
	| { readonly accepted: false; readonly reason: string };

/**
 * May this worker run this batch? Only agents it allows, only in a directory it names, and only when that directory and
 * those agents are what the batch was made for. A refused batch waits for another worker.
 */
export async function checkBatch(
	entry: BatchEntry,
	permissions: WorkerPermissions,
	readIdentity: ReadIdentity = readWorkspaceIdentity,
): Promise<BatchVerdict> {
	const version = readPackageVersion();
	// What an identity covers can differ between versions.
	if (entry.package !== undefined && entry.package !== version)
		return leaveAlone(
			`it has deputize ${version}, the batch is from ${toOneLine(entry.package)}. Install the same.`,
		);
	const directory = permissions.workspaces.get(entry.workspace);
	if (directory === undefined) return leaveAlone(`it has no workspace ${JSON.stringify(entry.workspace)}.`);
	const forbidden = Object.keys(entry.agents).filter((name) => !permissions.agents.includes(name));
	if (forbidden.length > 0) return leaveAlone(`it does not allow the agent ${forbidden.join(", ")}.`);
	try {
		const commit = await readIdentity(directory, permissions.env);
		if (commit !== entry.commit) {
			return leaveAlone(
				`its workspace ${entry.workspace} is at ${abbreviateCommit(commit)}, the batch at ${abbreviateCommit(entry.commit)}.`,
			);
		}
		const delegate = buildOptions(entry, directory, permissions.env);
		const services = new Set<string>();
		for (const [name, hash] of Object.entries(entry.agents)) {
			const { agent, agentHash, service, worksInLayer } = await decideBatchAgent(name, delegate);
			services.add(service);
			if (agentHash !== hash) return leaveAlone(`its agent ${name} (${agent.file}) has other content.`);
			if (entry.writers?.includes(name) === true && !worksInLayer)
				return leaveAlone(
					`it does not let ${name} change files. List it there: "subagents": { "writers": ["${name}"] } in deputize.json.`,
				);
		}
		const probe =
			entry.writers === undefined ? undefined : await probeSandbox(readSurroundings(permissions.env));
		if (probe?.works === false)
			return leaveAlone(`agents that change files need a sandbox, and none works there: ${probe.reason}`);
		return { accepted: true, delegate, services: [...services] };
	} catch (error) {
		if (error instanceof BatchError) return leaveAlone(error.message);
		throw error;
	}
}

function leaveAlone(reason: string): BatchVerdict {
	return { accepted: false, reason };
}

/** Enough of a commit to recognize it, with the mark of what is not committed. */
function abbreviateCommit(commit: string): string {
	const [head = "", changes] = commit.split("+");
	return changes === undefined
		? head.slice(0, 12)
		: `${head.slice(0, 12)} with uncommitted changes or untracked files`;
}

function buildOptions(entry: BatchEntry, directory: string, env: WorkerPermissions["env"]): DelegateOptions {
	const { model, runtime, offline, timeoutMs, idleTimeoutMs } = entry.delegate;
	return defined({
		cwd: directory,
		env,
		config: loadSafeConfig(directory, env, entry.writers),
		model,
		offline,
		runtime: isRuntimeName(runtime) ? runtime : undefined,
		timeoutMs,
		idleTimeoutMs,
	});
}

/**
 * Whatever the configuration allows at home, work from a queue never writes to the workspace: agents that both sides call
 * writers do so in a layer.
 */
function loadSafeConfig(
	directory: string,
	env: WorkerPermissions["env"],
	wanted: readonly string[] = [],
): DeputizeConfig {
	const { agentDirectory } = readSurroundings(env);
	const { config, problems } = loadProjectConfig(resolve(directory), agentDirectory);
	const wrong = problems.find(({ severity }) => severity === "error");
	if (wrong !== undefined) throw new BatchError(`its configuration is wrong: ${wrong.message}`);
	const { isolation, writers } = config.subagents;
	return {
		...config,
		subagents: {
			...config.subagents,
			allowWrite: false,
			applyChanges: "keep",
			isolation: isolation === "in-place" ? "layer" : isolation,
			writers: writers.filter((name) => wanted.some((one) => one.toLowerCase() === name.toLowerCase())),
		},
	};
}
