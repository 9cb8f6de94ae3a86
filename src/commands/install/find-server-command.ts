import { type Environment, isSamePath } from "@deputize/ground";
import { locateEntryPoint } from "../../entry-points.ts";
import { findExecutable } from "../../process/find-executable.ts";
import type { ServerCommand } from "./client-rows.ts";

/** `deputize` when that is on the PATH and is this package; else this very program by its path. */
export function findServerCommand(env: Environment): ServerCommand {
	const program = locateEntryPoint("cli");
	const found = findExecutable("deputize", env);
	if (found !== undefined && isSamePath(found, program)) return { command: "deputize", args: ["mcp"] };
	return { command: process.execPath, args: [program, "mcp"] };
}
