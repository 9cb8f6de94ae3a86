import type { Command, Policy } from "../sandbox/policy.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import { wrap } from "../sandbox/wrap.ts";

export type WrapCommand = (command: string, args: readonly string[]) => Command;

const GIT_POLICY: Policy = { view: "machine", network: "none", calls: "own-no-sockets", cwd: "/" };

/** Git writes nothing and needs no network: where a sandbox works it has neither. Undefined where none works. */
export function confineGit(probe: SandboxProbe | undefined): WrapCommand | undefined {
	if (probe?.works !== true) return undefined;
	return (command, args) => wrap({ command, args }, GIT_POLICY, probe.sandbox);
}
