import type { Command, Policy } from "../../src/sandbox/policy.ts";
import type { SandboxProbe } from "../../src/sandbox/sandbox-probe.ts";
import { wrap } from "../../src/sandbox/wrap.ts";

/** A command with the policy of a child, unless the test says otherwise. */
export function confine(
	probe: SandboxProbe,
	command: Command,
	policy: Partial<Policy> & Pick<Policy, "cwd">,
): Command {
	if (!probe.works) throw new Error(`There is no sandbox: ${probe.reason}`);
	return wrap(command, { view: "machine", network: "shared", calls: "all", ...policy }, probe.sandbox);
}
