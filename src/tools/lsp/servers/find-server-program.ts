import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { canonicalPath, type Environment, findProject, isInside, listOwnAncestors } from "@deputize/ground";
import { findExecutable, readShebang } from "../../../process/find-executable.ts";
import { isInProject, withoutProject } from "../../../process/without-project.ts";

export type ProgramSource = "workspace" | "venv" | "path" | "config";

export interface SearchPlace {
	readonly env: Environment;
	readonly workspace: string;
	readonly root: string;
	readonly trusted: boolean;
	/** Servers run in their own sandbox here. */
	readonly isBoxed?: boolean;
}

export interface FoundProgram {
	readonly file: string;
	readonly source: ProgramSource;
}

interface ProgramSearch {
	readonly found?: FoundProgram;
	/** A program inside the project that only trust would allow. */
	readonly withheld?: string;
}

export function findServerProgram(name: string, place: SearchPlace): ProgramSearch {
	const inProject = findInProject(name, place);
	if (inProject !== undefined && place.trusted) return { found: inProject };
	const onPath = findOnPath(name, place);
	if (onPath !== undefined) return { found: onPath };
	return inProject === undefined ? {} : { withheld: inProject.file };
}

function findInProject(name: string, place: SearchPlace): FoundProgram | undefined {
	for (const directory of listOwnAncestors(place.root)) {
		const file = findExecutable(join(directory, "node_modules", ".bin", name), place.env);
		if (file !== undefined) return { file, source: "workspace" };
	}
	for (const directory of virtualEnvironments(place)) {
		const file = findExecutable(join(directory, "bin", name), place.env);
		if (file !== undefined) return { file, source: "venv" };
	}
	return undefined;
}

function findOnPath(name: string, place: SearchPlace): FoundProgram | undefined {
	const file = findExecutable(name, place.trusted ? place.env : withoutWorkspacePath(place));
	if (file === undefined) return undefined;
	if (!place.trusted && isInWorkspace(place, file)) return undefined;
	const real = resolveRustupShim(file, name, place.env);
	if (real === undefined) return undefined;
	const inVenv = virtualEnvironments(place).some((directory) => isInside(directory, file));
	return { file: real, source: inVenv ? "venv" : "path" };
}

type ProjectPlace = Pick<SearchPlace, "env" | "workspace">;

/** The workspace is where somebody works; programs around it are the project's as well. */
const projectOf = ({ env, workspace }: ProjectPlace): string | undefined =>
	findProject(workspace, env["HOME"] ?? "/");

export function isInWorkspace(place: ProjectPlace, file: string): boolean {
	return isInProject(projectOf(place), file);
}

export function withoutWorkspacePath(place: ProjectPlace): Environment {
	return withoutProject(place.env, projectOf(place));
}

/** rustup puts a program of this name on PATH whether or not the component is installed. */
function resolveRustupShim(file: string, name: string, env: Environment): string | undefined {
	if (basename(canonicalPath(file)) !== "rustup") return file;
	const home = env["RUSTUP_HOME"] ?? join(env["HOME"] ?? "/", ".rustup");
	const toolchains = join(home, "toolchains");
	if (!existsSync(toolchains)) return undefined;
	return readdirSync(toolchains)
		.map((toolchain) => join(toolchains, toolchain, "bin", name))
		.find((candidate) => findExecutable(candidate, env) !== undefined);
}

export function virtualEnvironments(place: SearchPlace): readonly string[] {
	const active = place.env["VIRTUAL_ENV"];
	const inRoot = [".venv", "venv"].map((name) => join(place.root, name));
	return [...(active ? [active] : []), ...inRoot].filter((directory) => existsSync(join(directory, "bin")));
}

/**
 * Scripts written for Node run with the Node that runs us: the one on PATH may be older than the server needs,
 * or missing.
 */
export function toCommand(
	file: string,
	args: readonly string[],
): { command: string; args: readonly string[] } {
	const ownNode = process.execPath;
	if (basename(ownNode).startsWith("node") && /\bnode\b/.test(readShebang(file) ?? ""))
		return { command: ownNode, args: [file, ...args] };
	return { command: file, args };
}
