import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asList, asObject, asText, type Environment, isInside, type JsonObject } from "@deputize/ground";

export interface DirectorySources {
	/** `--cwd`. */
	readonly named?: string | undefined;
	readonly env: Environment;
	readonly cwd: string;
}

/** What is known without asking the client. */
export function findNamedDirectory({ named, env }: DirectorySources): string | undefined {
	if (named !== undefined) return resolve(named);
	const project = env["CLAUDE_PROJECT_DIR"];
	return project && isDirectory(project) ? resolve(project) : undefined;
}

/** One of the client's roots: the one this process was started in, else the first. */
export function chooseRoot(answer: JsonObject | undefined, cwd: string): string | undefined {
	const roots = asList(answer?.["roots"])
		.map((root) => toPath(asText(asObject(root)["uri"])))
		.filter((path) => path !== undefined)
		.filter(isDirectory);
	return roots.find((root) => isInside(root, cwd)) ?? roots[0];
}

function toPath(uri: string): string | undefined {
	try {
		return fileURLToPath(uri);
	} catch {
		return undefined;
	}
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
