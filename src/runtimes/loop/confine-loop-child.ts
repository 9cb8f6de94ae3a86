import { dirname } from "node:path";
import { DelegationError } from "../../contract/error-codes.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import type { Confinement } from "../../contract/result.ts";
import { canonicalPath } from "../../paths/canonical-path.ts";
import { wrapInSandbox } from "../../process/build-sandbox.ts";
import { listOpenSockets } from "../../process/list-open-sockets.ts";
import { listMasks } from "../list-masks.ts";
import { readSandboxProbe } from "../read-sandbox-probe.ts";

export interface ConfinedCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly confinement: Confinement;
}

/** The child writes its transcript and what its tools store; where a sandbox works, it can write nothing else. */
export async function confineLoopChild(
	plan: ChildPlan,
	command: string,
	args: readonly string[],
	options: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly home: string;
		readonly agentDirectory: string;
		readonly runDirectory: string;
	},
): Promise<ConfinedCommand> {
	const free = { command, args, confinement: "tools-only" } as const;
	if (plan.mayWrite || plan.sandbox === "off") return free;
	const probe = await readSandboxProbe(options);
	if (probe.works && probe.bwrap !== undefined) {
		const masks = listMasks(plan, { ...options, programs: [] });
		const wrapped = wrapInSandbox(command, args, {
			...masks,
			// The loop has no settings of its own there: the whole directory is closed to it.
			maskedPlaces: [...masks.maskedPlaces, canonicalPath(options.agentDirectory)],
			bwrap: probe.bwrap,
			cwd: plan.cwd,
			closedSockets: listOpenSockets(),
			writableDirectories: [dirname(plan.session.file), options.runDirectory],
		});
		return { ...wrapped, confinement: "os-sandbox" };
	}
	if (plan.sandbox === "auto") return free;
	throw new DelegationError(
		"SUBAGENT_FAILED",
		`subagents.sandbox is "required" and no sandbox works here: ${probe.reason} Nothing was started.`,
	);
}
