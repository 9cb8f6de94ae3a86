import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DelegationError } from "../../contract/error-codes.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import type { Confinement } from "../../contract/result.ts";
import { wrapInSandbox } from "../../process/build-sandbox.ts";
import { readSandboxProbe } from "../read-sandbox-probe.ts";

export interface ChosenConfinement {
	readonly confinement: Confinement;
	/** Environment that goes with it. */
	readonly set: Readonly<Record<string, string>>;
	wrap(
		command: string,
		args: readonly string[],
	): { readonly command: string; readonly args: readonly string[] };
}

const TOOLS_ONLY: ChosenConfinement = {
	confinement: "tools-only",
	set: {},
	wrap: (command, args) => ({ command, args }),
};

/** What in pi's directory decides what later sessions run or trust: a child needs it and must not change it. */
const KEPT_FROM_CHILDREN = [
	...[
		"extensions",
		"agents",
		"skills",
		"prompts",
		"themes",
		"bin",
		"packages",
		"npm",
		"git",
		"SYSTEM.md",
		"APPEND_SYSTEM.md",
	],
	...["deputize.json", "deputize-approved-agents.json", "trust.json", "models.json", "keybindings.json"],
];

/**
 * A child without write permission runs on a read-only file system where that works. One that may write is
 * the user's own decision and is not confined.
 */
export async function chooseConfinement(
	plan: ChildPlan,
	options: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly agentDirectory: string;
		readonly runDirectory: string;
	},
): Promise<ChosenConfinement> {
	if (plan.mayWrite || plan.sandbox === "off") return TOOLS_ONLY;
	const probe = await readSandboxProbe(options);
	if (!probe.works || !probe.bwrap) {
		if (plan.sandbox === "auto") return TOOLS_ONLY;
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`subagents.sandbox is "required" and no sandbox works here: ${probe.reason} Nothing was started.`,
		);
	}
	const { bwrap } = probe;
	const cache = join(options.agentDirectory, "deputize", "child-cache");
	mkdirSync(cache, { recursive: true, mode: 0o700 });
	return {
		confinement: "os-sandbox",
		// A cache of compiled code is code: what a confined child may write must not be what others load.
		set: { TMPDIR: cache },
		wrap: (command, args) =>
			wrapInSandbox(command, args, {
				bwrap,
				cwd: plan.cwd,
				writableDirectories: [options.agentDirectory, dirname(plan.session.file), options.runDirectory],
				readonlyPaths: KEPT_FROM_CHILDREN.map((name) => join(options.agentDirectory, name)),
			}),
	};
}
