import type { Command, Policy } from "./policy.ts";
import type { Sandbox } from "./sandbox-probe.ts";

/** A way to confine a process. */
export interface Mechanism {
	readonly name: string;
	/** The only one it exists on. */
	readonly platform: NodeJS.Platform;
	/** What is looked for on PATH. */
	readonly program: string;
	/** What a person installs to have it. */
	readonly packageName: string;
	wrap(command: Command, policy: Policy, sandbox: Sandbox): Command;
}
