import { join, resolve } from "node:path";
import { canonicalPath, isInside, readIfThere, toOneLine } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { LIMITS } from "../contract/limits.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";

/** A skill that a child may read: a directory with instructions in `SKILL.md`. */
export interface Skill {
	readonly name: string;
	readonly description: string;
	/** By its real path. */
	readonly directory: string;
}

export interface SkillPlaces {
	readonly home: string;
	readonly agentDirectory: string;
	readonly cwd: string;
	readonly projectTrust: boolean | undefined;
}

const SKILL_FILE = "SKILL.md";
const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const IN_PROJECT = [join(".pi", "skills"), join(".agents", "skills")];
const MAX_DESCRIPTION_CHARS = 500;

/**
 * The skills that an agent names. An agent of the project finds those of the project only: it must not open a
 * directory of the user's. Others find the user's first, and the project's where it is trusted.
 */
export function findSkills(agent: AgentDefinition, places: SkillPlaces): readonly Skill[] {
	return (agent.skills ?? []).map((name) => {
		const skill = findSkill(name, agent, places);
		if (skill) return skill;
		const looked = listRoots(agent, places).map(({ path }) => path);
		throw new DelegationError(
			"INVALID_INPUT",
			`The agent ${agent.name} names the skill ${JSON.stringify(name)} in ${agent.file}, and there is no ${join(name, SKILL_FILE)} in ${looked.join(", ") || "any directory it may use"}.`,
		);
	});
}

interface Root {
	readonly path: string;
	/** Links must not lead out of here. */
	readonly inside?: string;
}

function listRoots(
	agent: AgentDefinition,
	{ cwd, home, agentDirectory, projectTrust }: SkillPlaces,
): readonly Root[] {
	const project = IN_PROJECT.map((path) => ({ path: resolve(cwd, path), inside: canonicalPath(cwd) }));
	if (agent.source === "project") return project;
	return [
		{ path: join(agentDirectory, "skills") },
		{ path: join(home, ".agents", "skills") },
		...(projectTrust === true ? project : []),
	];
}

export function findSkill(name: string, agent: AgentDefinition, places: SkillPlaces): Skill | undefined {
	if (!SKILL_NAME.test(name)) return undefined;
	for (const { path, inside } of listRoots(agent, places)) {
		const directory = canonicalPath(join(path, name));
		const file = canonicalPath(join(directory, SKILL_FILE));
		if (!isInside(directory, file) || (inside !== undefined && !isInside(inside, directory))) continue;
		const text = readIfThere(file, LIMITS.maxAgentFileBytes);
		if (text === undefined) continue;
		return { name, directory, description: readDescription(text) };
	}
	return undefined;
}

function readDescription(text: string): string {
	const frontmatter = parseFrontmatter(text);
	const value = frontmatter.ok ? (frontmatter.fields.get("description") ?? "") : "";
	return toOneLine(typeof value === "string" ? value : value.join(", ")).slice(0, MAX_DESCRIPTION_CHARS);
}

/** As a child sees them. It reads the instructions themselves when it needs them. */
export function renderSkills(skills: readonly Skill[]): string {
	if (skills.length === 0) return "";
	return [
		"# Skills",
		"Instructions for particular kinds of work. Read the file of one before you do what it is for; other files it names are beside it.",
		...skills.map(
			({ name, description, directory }) =>
				`- ${name}${description === "" ? "" : `: ${description}`} (${join(directory, SKILL_FILE)})`,
		),
	].join("\n");
}
