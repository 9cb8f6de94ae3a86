import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@deputize/ground";
import { pickToolVariables } from "../../process/pick-tool-variables.ts";
import type { Command, Policy } from "../../sandbox/policy.ts";
import type { Sandbox } from "../../sandbox/sandbox-probe.ts";
import type { Workspace } from "../../sandbox/workspace.ts";
import { wrap } from "../../sandbox/wrap.ts";

export interface CommandPlace {
	readonly workspace: Workspace & { readonly sandbox: Sandbox };
	readonly env: Environment;
	/** For what commands write outside of the project. Made here. */
	readonly temporaryDirectory: string;
}

/** There is no network; asking for it would only take time. */
const OFFLINE = { CARGO_NET_OFFLINE: "true", GOPROXY: "off", npm_config_offline: "true" };

/**
 * A command in a sandbox of its own, inside of the child's: it sees what the child sees, but nothing of the child's
 * program, and writes to the project and to a directory of its own. Its environment has no key.
 */
export function confineCommand(
	command: Command,
	cwd: string,
	{ workspace, env, temporaryDirectory }: CommandPlace,
): Command & { readonly env: Readonly<Record<string, string>> } {
	const cache = join(temporaryDirectory, "cache");
	mkdirSync(cache, { recursive: true, mode: 0o700 });
	const policy: Policy = {
		// A child that asks its parent's language servers may use sockets; its commands may not.
		...{ view: "same", calls: "own-no-sockets", cwd },
		network: workspace.network ? "shared" : "none",
		temporary: temporaryDirectory,
		hidden: workspace.hidden,
		writable: [workspace.root],
	};
	return {
		...wrap(command, policy, workspace.sandbox),
		env: {
			...pickToolVariables(env),
			...(workspace.network ? {} : OFFLINE),
			TMPDIR: "/tmp",
			XDG_CACHE_HOME: "/tmp/cache",
			GOCACHE: "/tmp/cache/go-build",
			npm_config_cache: "/tmp/cache/npm",
			GOTOOLCHAIN: "local",
			// Nobody is there to answer.
			CI: "true",
			GIT_TERMINAL_PROMPT: "0",
		},
	};
}
