import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, statIfThere, toStamp } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import { findSkill, type SkillPlaces } from "./find-skills.ts";

const MAX_ENTRIES = 2000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The skills that a project's agent names, each with the fingerprint of everything in its directory: what a person
 * approves together with the agent. A skill that is not there has an empty one.
 */
export function hashSkills(agent: AgentDefinition, places: SkillPlaces): Readonly<Record<string, string>> {
	return Object.fromEntries(
		(agent.skills ?? []).map((name) => {
			const skill = findSkill(name, agent, places);
			return [name, skill === undefined ? "" : hashDirectory(skill.directory)];
		}),
	);
}

/**
 * What a link leads to counts: a child reads it as a part of the skill. What is too large to be read counts by its size and
 * times.
 */
function hashDirectory(directory: string): string {
	const lines: string[] = [];
	let left = MAX_BYTES;
	const visit = (way: string): void => {
		for (const name of readdirSync(join(directory, way)).sort()) {
			const path = join(way, name);
			const file = join(directory, path);
			const entry = statIfThere(file);
			// More than anybody looks through: approved for nothing, and asked about every time.
			// A directory ends with what no name of a file has, or one called like a file and its fingerprint would be that file.
			if (lines.push(`${path}/`) > MAX_ENTRIES) throw new Error("too many entries");
			if (entry === undefined) lines[lines.length - 1] = `${path} `;
			else if (entry.isDirectory()) visit(path);
			else if (!entry.isFile() || entry.size > left) lines[lines.length - 1] = `${path} ${toStamp(entry)}`;
			else {
				left -= entry.size;
				lines[lines.length - 1] = `${path} ${fingerprint(readFileSync(file))}`;
			}
		}
	};
	try {
		visit("");
		return fingerprint(lines.join("\0"));
	} catch {
		return fingerprint(randomUUID());
	}
}
