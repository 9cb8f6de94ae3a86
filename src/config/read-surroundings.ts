import { join } from "node:path";
import { type Environment, expandHome, readHome } from "@deputize/ground";

/** The user's environment and directories. */
export interface UserPlace {
	readonly env: Environment;
	readonly home: string;
	/** pi's own directory: settings, credentials, user agents. */
	readonly agentDirectory: string;
}

/** What the process was started in. Read once per entry into the package and passed down from there. */
export interface Surroundings extends UserPlace {
	/** Depth of delegation this process already is at; 0 outside of any child. */
	readonly depth: number;
	/** The run this process is a child of. */
	readonly runId?: string;
}

const RUN_ID = /^[0-9a-f]{8}$/;

export function readSurroundings(env: Environment = process.env): Surroundings {
	const home = readHome(env);
	return {
		// A child finds its home by this variable, and would write into the project.
		env: env["HOME"] === "" ? { ...env, HOME: home } : env,
		home,
		agentDirectory: expandHome(env["PI_CODING_AGENT_DIR"] ?? "", home) || join(home, ".pi", "agent"),
		depth: readDepth(env),
		...(RUN_ID.test(env["PI_SUBAGENT_RUN"] ?? "") ? { runId: env["PI_SUBAGENT_RUN"] as string } : {}),
	};
}

/** A child without a readable depth still is a child. */
function readDepth(env: Environment): number {
	const stated = Number.parseInt(env["PI_SUBAGENT_DEPTH"] ?? "", 10);
	const child = env["PI_SUBAGENT_CHILD"] === "1" ? 1 : 0;
	return Number.isSafeInteger(stated) && stated >= 0 ? Math.max(stated, child) : child;
}
