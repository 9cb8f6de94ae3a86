import { relative } from "node:path";
import { isInside } from "@deputize/ground";
import { findRepository } from "../git/find-repository.ts";

/**
 * Whether a path of a project, by its bytes, is among the files of Git itself: what a child makes of them is neither collected
 * nor written, because hooks and settings are programs. They can be under any name, to which a file called `.git` leads.
 */
export function createOwnRepositoryTest(project: string): (path: string) => boolean {
	const places = (findRepository(project)?.places ?? []).filter(
		(place) => place !== project && isInside(project, place),
	);
	const own = [".git", ...places.map((place) => Buffer.from(relative(project, place)).toString("latin1"))];
	return (path) => own.some((name) => path === name || path.startsWith(`${name}/`));
}
