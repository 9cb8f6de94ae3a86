import { BUBBLEWRAP } from "./bubblewrap.ts";
import type { Mechanism } from "./mechanism.ts";
import type { Command, Policy } from "./policy.ts";
import type { Sandbox } from "./sandbox-probe.ts";

/** Another one is a file like that of bubblewrap, chosen here and in the probe by what works on the machine. */
export const MECHANISM: Mechanism = BUBBLEWRAP;

/** The command that runs another one as the policy says. */
export function wrap(command: Command, policy: Policy, sandbox: Sandbox): Command {
	return MECHANISM.wrap(command, policy, sandbox);
}
