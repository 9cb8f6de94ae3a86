import { dirname } from "node:path";
import { canonicalPath } from "@deputize/ground";
import { locateIndexCache, prepareIndexCache } from "@deputize/navigator";
import type { UserPlace } from "../config/read-surroundings.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import { listOpenSockets } from "../sandbox/list-open-sockets.ts";
import type { Command, Policy } from "../sandbox/policy.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import type { Workspace } from "../sandbox/workspace.ts";
import { wrap } from "../sandbox/wrap.ts";
import { listMasks } from "./list-masks.ts";

export interface ChosenConfinement {
	readonly confinement: Confinement;
	/** Environment variables that go with it. */
	readonly set: Readonly<Record<string, string>>;
	/** The result of probing a sandbox inside the child, if it is known. */
	readonly probeInside?: SandboxProbe | undefined;
	/** Where a child that works in a layer may write, and what its commands see. */
	readonly workspace?: Workspace | undefined;
	wrap(command: string, args: readonly string[]): Command;
}

export interface ConfinementOptions extends UserPlace {
	readonly runDirectory: string;
	/** What the runtime's program needs or must not see, in addition to the rules for every child. Only used in a sandbox. */
	readonly sandbox: () => RuntimeSandbox;
	/** What is closed to the child, beyond those of services. */
	readonly listSockets?: typeof listOpenSockets;
}

export interface RuntimeSandbox extends Pick<Policy, "hidden" | "replaced" | "forgetful" | "writable"> {
	/** Where the child's temporary files go; must exist and is writable for the child. */
	readonly temporaryDirectory: string;
	/** The program is known to work under our system call filter. */
	readonly isFiltered?: boolean;
	/** Programs and extensions that the child loads. */
	readonly programs: readonly string[];
}

const TOOLS_ONLY: ChosenConfinement = {
	confinement: "tools-only",
	set: {},
	wrap: (command, args) => ({ command, args }),
};

/** Of the memory of a child with all its processes. */
const MEMORY_OF_COMMANDS = 0.75;

/**
 * A child without write permission runs on a read-only file system where that works: it can write only its session,
 * its run directory and its temporary files, and what a layer over its project takes. A child that may write to the
 * project itself is the user's own decision and is not confined.
 */
export async function chooseConfinement(
	plan: ChildPlan,
	options: ConfinementOptions,
): Promise<ChosenConfinement> {
	// A layer is there only inside of a sandbox.
	if (plan.mayWrite || (plan.sandbox === "off" && !plan.worksInLayer)) return TOOLS_ONLY;
	const probe = await probeSandbox(options);
	const workspace = describeWorkspace(plan, options, probe);
	if (!probe.works) {
		if (plan.sandbox !== "required") return { ...TOOLS_ONLY, probeInside: probe, workspace };
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`subagents.sandbox is "required" and no sandbox works here: ${probe.reason} Nothing was started.`,
		);
	}
	const { temporaryDirectory, programs, isFiltered = false, ...own } = options.sandbox();
	const { hidden, readable } = listMasks(plan, { ...options, programs });
	const openSocket = plan.lspSocket?.path;
	const describePolicy = (): Policy => ({
		view: "machine",
		network: "shared",
		calls: !isFiltered ? "all" : openSocket === undefined ? "own-no-sockets" : "own",
		cwd: plan.cwd,
		...own,
		...(plan.layer?.mount ? { layer: plan.layer.mount } : {}),
		readable,
		hidden: [...hidden, ...(own.hidden ?? [])],
		closedSockets: (options.listSockets ?? listOpenSockets)().filter((path) => path !== openSocket),
		writable: [
			...(own.writable ?? []),
			temporaryDirectory,
			dirname(plan.session.file),
			options.runDirectory,
			...listIndexCaches(plan, options.agentDirectory),
		],
	});
	return {
		// It uses the parent's language servers, and what they do counts as what the child does.
		confinement: plan.lspSocket?.isConfined === false ? "tools-only" : "os-sandbox",
		// A cache of compiled code is code: others must not load what a confined child may write.
		set: { TMPDIR: temporaryDirectory },
		probeInside: probeInside(probe),
		workspace,
		wrap: (command, args) => wrap({ command, args }, describePolicy(), probe.sandbox),
	};
}

function describeWorkspace(
	{ layer, agent, session, limits }: ChildPlan,
	{ agentDirectory, runDirectory }: ConfinementOptions,
	probe: SandboxProbe,
): Workspace | undefined {
	if (layer === undefined) return undefined;
	return {
		root: layer.root,
		network: agent.network === true,
		hidden: [agentDirectory, runDirectory, dirname(session.file)].map(canonicalPath),
		memoryMb: Math.floor(limits.maxMemoryMb * MEMORY_OF_COMMANDS),
		...(probe.works ? { sandbox: probe.sandbox } : {}),
	};
}

/**
 * Where a confined child that searches by index keeps the words of its own tree. It sees no other tree's, so what goes
 * wrong in one child changes no search elsewhere.
 */
function listIndexCaches(plan: ChildPlan, agentDirectory: string): readonly string[] {
	// What is learned in a layer is not true of the project.
	if (plan.worksInLayer) return [];
	const searches = plan.model?.startsWith("offline/") === true || plan.tools.includes("search_code");
	const directory = searches ? prepareIndexCache(locateIndexCache(agentDirectory, plan.cwd)) : undefined;
	return directory === undefined ? [] : [directory];
}

/** Determined once per machine: a child that tried it itself would pay for it in every run. */
function probeInside(probe: SandboxProbe & { readonly works: true }): SandboxProbe {
	return probe.sandbox.nests
		? probe
		: { works: false, reason: `${probe.sandbox.program} does not work inside the sandbox of a child.` };
}
