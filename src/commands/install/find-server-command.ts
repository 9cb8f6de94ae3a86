import { realpathSync } from "node:fs";
import { locateEntryPoint } from "../../entry-points.ts";
import { findExecutable } from "../../process/find-executable.ts";
import type { ServerCommand } from "./client-rows.ts";

/** `deputize` when that is on the PATH and is this package; else this very program by its path. */
export function findServerCommand(env: Readonly<Record<string, string | undefined>>): ServerCommand {
	const program = locateEntryPoint("cli");
	const found = findExecutable("deputize", env);
	if (found !== undefined && isSame(found, program)) return { command: "deputize", args: ["mcp"] };
	return { command: process.execPath, args: [program, "mcp"] };
}

function isSame(left: string, right: string): boolean {
	try {
		return realpathSync(left) === realpathSync(right);
	} catch {
		return false;
	}
}
