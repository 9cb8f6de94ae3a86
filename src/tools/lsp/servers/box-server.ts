import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalPath } from "@deputize/ground";
import { KERNEL_PLACES } from "../../../judge/closed-places.ts";
import type { Judge } from "../../../judge/create-judge.ts";
import { findOutermost } from "../../../sandbox/find-outermost.ts";
import type { Command, Policy } from "../../../sandbox/policy.ts";
import type { Sandbox } from "../../../sandbox/sandbox-probe.ts";
import { wrap } from "../../../sandbox/wrap.ts";
import { listToolchains } from "../workspace/create-source-rule.ts";
import type { ServerLaunch } from "./find-server.ts";

export interface BoxOptions {
	readonly sandbox: Sandbox;
	readonly root: string;
	readonly workspace: string;
	/** The only place a server can write to. */
	readonly privateDirectory: string;
	readonly judge: Judge;
	readonly env: Readonly<Record<string, string>>;
}

export interface ServerCommand extends Command {
	readonly env: Readonly<Record<string, string>>;
	/** Its own process namespace: process ids of ours mean nothing to it. */
	readonly isBoxed: boolean;
}

/** Sockets of other programs are here, and files nobody meant for a server. */
const TEMPORARY_PLACES = ["/tmp", "/var/tmp"];

/**
 * The server in its own sandbox: everything read-only except a private directory, no network, no process but its
 * own, and nothing of what the judge keeps closed except what it needs to run.
 */
export function boxServer(launch: ServerLaunch, options: BoxOptions): ServerCommand {
	const { sandbox, root, workspace, privateDirectory, judge, env } = options;
	const temporary = join(privateDirectory, "tmp");
	const cache = join(privateDirectory, "cache");
	for (const directory of [temporary, cache]) mkdirSync(directory, { recursive: true, mode: 0o700 });
	const needed = [...listToolchains(env), ...listProgramPlaces(launch)];
	const shown = [...judge.exceptions(), ...needed, workspace, root];
	const policy: Policy = {
		...{ view: "machine", network: "none", calls: "all", cwd: root },
		writable: [privateDirectory],
		hidden: [...listClosed(judge), ...TEMPORARY_PLACES],
		// Without links: a mount on a path that leads through one has no place to be made.
		readable: findOutermost([...new Set(shown.map(canonicalPath))]),
	};
	return {
		...wrap(launch, policy, sandbox),
		env: {
			...env,
			TMPDIR: temporary,
			XDG_CACHE_HOME: cache,
			GOCACHE: join(cache, "go-build"),
			CARGO_TARGET_DIR: join(cache, "cargo-target"),
			// There is no network; asking for it would only take time.
			CARGO_NET_OFFLINE: "true",
			GOPROXY: "off",
		},
		isBoxed: true,
	};
}

/** The sandbox has its own kernel file systems, which programs need. */
function listClosed(judge: Judge): readonly string[] {
	return judge.closedBelow("/").filter((path) => !KERNEL_PLACES.includes(path));
}

/** Programs are often installed in hidden directories of the home directory, next to the packages they load. */
function listProgramPlaces({ command, args, program, source }: ServerLaunch): readonly string[] {
	const named = [command, program, ...args.filter((argument) => argument.startsWith("/"))];
	return [...named, ...named.map(canonicalPath)].flatMap((file) => {
		const packages = /^.*?\/node_modules(?=\/)/.exec(file)?.[0];
		const environment = source === "venv" ? [dirname(dirname(file))] : [];
		return [dirname(file), ...(packages === undefined ? [] : [packages]), ...environment];
	});
}
