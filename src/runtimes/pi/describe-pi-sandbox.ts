import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChildPlan } from "../../contract/plan.ts";
import type { RuntimeSandbox } from "../choose-confinement.ts";
import type { LentLogin } from "../lend-login-file.ts";

/** What a pi child needs in its sandbox beyond what applies to every child. */
export function describePiSandbox(
	plan: ChildPlan,
	options: {
		readonly agentDirectory: string;
		/** Of this run alone. */
		readonly temporaryDirectory: string;
		/** pi's own program. */
		readonly program: readonly string[];
		/** What the child sees in place of pi's file of keys. */
		readonly login?: Pick<LentLogin, "file" | "isWritable"> | undefined;
	},
): RuntimeSandbox {
	const { agentDirectory, login, temporaryDirectory } = options;
	return {
		temporaryDirectory,
		isFiltered: true,
		programs: [...options.program, ...plan.extensions],
		replaced: login ? [{ ...login, at: join(agentDirectory, "auth.json") }] : [],
		// Settings, extensions and keys decide what later sessions run: pi locks them, and no child changes them.
		forgetful: [agentDirectory].filter(existsSync),
	};
}
