import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { ToolInputError } from "./read-arguments.ts";

export interface InsidePath {
	/** Without a symbolic link anywhere in it. */
	readonly real: string;
	/** From the working directory, with forward slashes; "." for itself. */
	readonly shown: string;
}

/**
 * The real path of something inside the working directory. Judged by real path, so that neither `..`, nor an absolute
 * path, nor a symbolic link, nor a sibling whose name merely begins the same leads outside.
 */
export async function resolveInside(cwd: string, path: string): Promise<InsidePath> {
	const root = await realpath(cwd);
	let real: string;
	try {
		real = await realpath(resolve(root, path));
	} catch (error) {
		const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "cannot be read";
		// What lies outside must not be told from what does not exist.
		throw isInside(root, resolve(root, path)) ? new ToolInputError(`${path} ${reason}`) : outside(path);
	}
	if (!isInside(root, real)) throw outside(path);
	return { real, shown: relative(root, real).split(sep).join("/") || "." };
}

function isInside(root: string, path: string): boolean {
	return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): ToolInputError {
	return new ToolInputError(
		`${path} is outside of the working directory, which is all this tool may look at`,
	);
}
