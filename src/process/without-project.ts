import { delimiter, resolve } from "node:path";
import { canonicalPath, type Environment, isInside, listAncestors } from "@deputize/ground";

/** Variables that name a directory whose programs others start. */
const NAMING = ["VIRTUAL_ENV", "CONDA_PREFIX"];

/** `npx`, direnv and an activated virtual environment put a project's own programs on PATH: the environment without them. */
export function withoutProject(env: Environment, project: string | undefined): Environment {
	if (project === undefined) return env;
	const isOutside = (path: string): boolean => !isInProject(project, path);
	const kept = Object.entries(env).filter(
		([name, value]) => !NAMING.includes(name) || isOutside(value ?? ""),
	);
	const path = (env["PATH"] ?? "").split(delimiter).filter(isOutside).join(delimiter);
	return { ...Object.fromEntries(kept), ...(env["PATH"] === undefined ? {} : { PATH: path }) };
}

/** By its name, whatever links it is spelled with, or by what it is a link to. */
export function isInProject(project: string | undefined, file: string): boolean {
	if (project === undefined) return false;
	return [...listAncestors(resolve(file))].some((path) => isInside(project, canonicalPath(path)));
}
