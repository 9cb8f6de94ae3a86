import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DelegationError } from "../../contract/error-codes.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import type { Confinement } from "../../contract/result.ts";
import { wrapInSandbox } from "../../process/build-sandbox.ts";
import { listOpenSockets } from "../../process/list-open-sockets.ts";
import { listMasks } from "../list-masks.ts";
import { readSandboxProbe } from "../read-sandbox-probe.ts";
import type { LentLogin } from "./lend-login.ts";

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

/**
 * A child without write permission runs on a read-only file system where that works. One that may write is
 * the user's own decision and is not confined.
 */
export async function chooseConfinement(
	plan: ChildPlan,
	options: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly home: string;
		readonly agentDirectory: string;
		readonly runDirectory: string;
		/** What the child sees in place of pi's file of keys. */
		readonly login?: Pick<LentLogin, "file" | "isWritable"> | undefined;
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
	const { bwrap, hasSizes = false } = probe;
	const cache = openCache(options);
	return {
		// Its language servers are the parent's, and what they do counts as what the child does.
		confinement: plan.lspSocket?.isConfined === false ? "tools-only" : "os-sandbox",
		// A cache of compiled code is code: what a confined child may write must not be what others load.
		set: { TMPDIR: cache },
		wrap: (command, args) =>
			wrapInSandbox(command, args, {
				...listMasks(plan, { ...options, programs: [...args.slice(0, 1), ...plan.extensions] }),
				bwrap,
				hasSizes,
				cwd: plan.cwd,
				closedSockets: listOpenSockets().filter((path) => path !== plan.lspSocket?.path),
				writableDirectories: [cache, dirname(plan.session.file), options.runDirectory],
				replacedFiles: options.login
					? [{ ...options.login, at: join(options.agentDirectory, "auth.json") }]
					: [],
				// Settings, extensions and keys decide what later sessions run: pi locks them, and no child changes them.
				forgetfulDirectories: [options.agentDirectory].filter(existsSync),
			}),
	};
}

/** Kept between runs; where the home directory cannot be written to, for this run only. */
function openCache(options: { readonly agentDirectory: string; readonly runDirectory: string }): string {
	const kept = join(options.agentDirectory, "deputize", "child-cache");
	try {
		mkdirSync(kept, { recursive: true, mode: 0o700 });
		return kept;
	} catch {
		const own = join(options.runDirectory, "child-cache");
		mkdirSync(own, { recursive: true, mode: 0o700 });
		return own;
	}
}
