import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findProject, fingerprint, isInside, listIfThere, listOwnAncestors } from "@deputize/ground";
import type { AgentDefinition, AgentSource, DiscoveredAgents } from "../contract/agent.ts";
import { hashSkills } from "./hash-skills.ts";
import { PROMPTS, readAgentDirectory } from "./read-agent-directory.ts";
import { BUILTIN_AGENTS_DIRECTORY, readBuiltinAgents } from "./read-builtin-agents.ts";

export interface DiscoverAgentsOptions {
	/** Where a project's agents are looked for, upwards. */
	readonly cwd: string;
	/** The user's home directory. */
	readonly home: string;
	/** pi's own directory, usually `~/.pi/agent`. */
	readonly agentDirectory: string;
	/** Directories named on the command line or by a program: they win over everything. */
	readonly extraDirectories?: readonly string[];
	/** Leaves out everybody else's directories, for an agent that one of their files hides. */
	readonly builtinOnly?: boolean;
}

/** All agents, one per name: named directories over project over user over builtin. */
export function discoverAgents(options: DiscoverAgentsOptions): DiscoveredAgents {
	const directories = listAgentDirectories(options);
	const found = directories.map(({ source, path }) =>
		source === "builtin" ? readBuiltinAgents() : readAgentDirectory(path, source),
	);
	const winners = new Map<string, AgentDefinition>();
	for (const { agents } of found) {
		for (const agent of agents) {
			const key = agent.name.toLowerCase();
			const replaced = winners.get(key);
			winners.set(key, { ...coverSkills(agent, options), ...(replaced && { shadows: replaced.source }) });
		}
	}
	return {
		agents: [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
		skipped: found.flatMap(({ skipped }) => skipped),
		directories,
	};
}

/** An approval is about everything that a child is given, and a project's skills are a stranger's words like its agents. */
function coverSkills(agent: AgentDefinition, options: DiscoverAgentsOptions): AgentDefinition {
	if (agent.source !== "project" || agent.skills === undefined) return agent;
	const skillHashes = hashSkills(agent, { ...options, projectTrust: undefined });
	const contentHash = fingerprint(`${agent.contentHash}\0${JSON.stringify(skillHashes)}`);
	return { ...agent, skillHashes, contentHash };
}

/** From the weakest to the strongest. */
function listAgentDirectories(options: DiscoverAgentsOptions): { source: AgentSource; path: string }[] {
	const { cwd, home, agentDirectory } = options;
	const named = (options.extraDirectories ?? []).map((path) => resolve(cwd, path));
	const of = (source: AgentSource, paths: readonly string[]) => paths.map((path) => ({ source, path }));
	const builtin = of("builtin", [BUILTIN_AGENTS_DIRECTORY]);
	if (options.builtinOnly) return builtin;
	return [
		...builtin,
		...of("user", listExtensionPrompts(agentDirectory)),
		...of("user", [join(agentDirectory, "agents")]),
		...of("project", findProjectPrompts(cwd, home)),
		...of("project", findProjectAgentsDirectories(cwd, home)),
		...of("user", named),
	];
}

/** `prompts` of each extension in a directory of pi's. */
function listExtensionPrompts(directory: string): readonly string[] {
	const extensions = join(directory, "extensions");
	return [...listIfThere(extensions)]
		.sort()
		.map((name) => join(extensions, name, PROMPTS))
		.filter((path) => existsSync(path));
}

/** `prompts` of the project and of its extensions, of the nearest directory that has one, up to the root of the repository. */
function findProjectPrompts(cwd: string, home: string): readonly string[] {
	const project = findProject(cwd, home);
	if (project === undefined) return [];
	for (const directory of listOwnAncestors(resolve(cwd))) {
		if (!isInside(project, directory)) break;
		const own = [join(directory, PROMPTS)].filter((path) => existsSync(path));
		const found = [...listExtensionPrompts(join(directory, ".pi")), ...own];
		if (found.length > 0) return found;
	}
	return [];
}

/** In one directory, from the weaker to the stronger. */
const IN_PROJECT = [".agents", join(".pi", "agents")];

/**
 * `.agents` and `.pi/agents` of the nearest directory, at or above the working directory, that has one of them. The walk
 * goes past the root of a repository, to share agents among several, and ends before the home directory, where things
 * are the user's and not a project's, and before a directory of somebody else.
 */
export function findProjectAgentsDirectories(cwd: string, home: string): readonly string[] {
	const stop = resolve(home);
	for (const directory of listOwnAncestors(resolve(cwd))) {
		if (directory === stop) break;
		const found = IN_PROJECT.map((name) => join(directory, name)).filter((path) => existsSync(path));
		if (found.length > 0) return found;
	}
	return [];
}
