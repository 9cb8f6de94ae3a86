import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "@deputize/ground";

/** As much as Linux reads of it. */
const MAX_SHEBANG_BYTES = 256;

/**
 * The file that would run for `name`: searched on the PATH of the given environment, or taken as a path (relative to
 * `cwd`) if it contains a separator. Undefined if nothing executable is found.
 * An empty or relative PATH entry is ignored, so that a program in the working directory is never found by accident.
 */
export function findExecutable(name: string, env: Environment, cwd = "."): string | undefined {
	if (name === "") return undefined;
	const isPath = name.includes("/") || (process.platform === "win32" && name.includes("\\"));
	if (isPath) return withExtension(resolve(cwd, name), env);
	for (const directory of searchPath(env)) {
		const found = withExtension(join(directory, name), env);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The absolute directories of PATH. */
export function searchPath(env: Environment): string[] {
	// Windows spells it `Path`; an environment copied into a plain object keeps that spelling.
	const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === "PATH");
	const value = key === undefined ? "" : (env[key] ?? "");
	return value.split(delimiter).filter((directory) => isAbsolute(directory));
}

function withExtension(file: string, env: Environment): string | undefined {
	if (process.platform !== "win32") return isExecutable(file) ? file : undefined;
	const extensions = (env["PATHEXT"] ?? ".EXE;.CMD;.BAT;.COM").split(";");
	return ["", ...extensions].map((extension) => file + extension).find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** What the first line of a script names to run it; undefined for any other file, and for one that may not be read. */
export function readShebang(file: string): string | undefined {
	const head = Buffer.alloc(MAX_SHEBANG_BYTES);
	try {
		const descriptor = openSync(file, "r");
		try {
			readSync(descriptor, head);
		} finally {
			closeSync(descriptor);
		}
	} catch {
		return undefined;
	}
	return /^#!([^\n\0]*)/.exec(head.toString("latin1"))?.[1];
}
