import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { canonicalPath, isInside, listIfThere } from "@deputize/ground";
import { answersDirectory } from "../../../judge/answers-directory.ts";
import { KERNEL_PLACES } from "../../../judge/closed-places.ts";
import type { Judge } from "../../../judge/create-judge.ts";
import { searchPath } from "../../../process/find-executable.ts";
import type { Command, Policy } from "../../../sandbox/policy.ts";
import type { Sandbox } from "../../../sandbox/sandbox-probe.ts";
import { wrap } from "../../../sandbox/wrap.ts";
import { listLibraryRoots } from "../workspace/create-source-rule.ts";
import type { ServerLaunch } from "./find-server.ts";

interface BoxOptions {
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

/** What programs of a system look up to run at all: where libraries are, who the user is, which of several programs is meant. */
const SYSTEM_SETTINGS = [
	...["alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "group", "nsswitch.conf"],
	...["localtime", "ssl/certs", "ssl/openssl.cnf", "pki/tls/certs", "python3", "java", "static", "profiles"],
].map((name) => `/etc/${name}`);
const SYSTEM_PROGRAMS = ["/snap", "/gnu/store", "/run/current-system"];

/**
 * The server in its own sandbox: a machine that has the workspace, the server itself, toolchains, sources of packages and
 * what the user opened, and nothing else. So it cannot tell what is in other files, wherever a project points it. Only
 * a private directory can be written to; there is no network, and no process but its own.
 */
export function boxServer(launch: ServerLaunch, options: BoxOptions): ServerCommand {
	const { sandbox, root, workspace, privateDirectory, judge, env } = options;
	const temporary = join(privateDirectory, "tmp");
	const cache = join(privateDirectory, "cache");
	for (const directory of [temporary, cache]) mkdirSync(directory, { recursive: true, mode: 0o700 });
	const home = canonicalPath(judge.home);
	// Open to children; no server has to do with them.
	const answers = canonicalPath(answersDirectory(judge.home, judge.cwd));
	const needed = [
		...SYSTEM_SETTINGS,
		...SYSTEM_PROGRAMS,
		...listLibraryRoots(judge, env),
		...listProgramPlaces(launch, judge),
		...searchPath(env)
			.filter((directory) => judge.explain(canonicalPath(directory)) === undefined)
			.flatMap((directory) => listAround(directory, judge)),
	].filter(
		(place) =>
			place !== answers &&
			!isInside(canonicalPath(place), home) &&
			!KERNEL_PLACES.some((kernel) => isInside(kernel, place)),
	);
	const policy: Policy = {
		...{ view: "nothing", network: "none", calls: "own", cwd: root },
		readable: [...needed, workspace, root],
		hidden: judge.closedBelow("/").filter((path) => !KERNEL_PLACES.includes(path)),
		writable: [privateDirectory],
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

/** Programs are often installed in hidden directories of the home directory. */
function listProgramPlaces(
	{ command, args, program, source }: ServerLaunch,
	judge: Judge,
): readonly string[] {
	const named = [command, program, ...args.filter((argument) => argument.startsWith("/"))];
	return [...named, ...named.map(canonicalPath)].flatMap((file) => [
		file,
		...listAround(dirname(file), judge),
		...(source === "venv" ? [dirname(dirname(file))] : []),
	]);
}

/** A directory of programs, with the packages and libraries that they find from there. */
function listAround(directory: string, judge: Judge): readonly string[] {
	const packages = /^.*?\/node_modules(?=\/)/.exec(directory)?.[0];
	const prefix = dirname(directory);
	const isPrefix = basename(directory) === "bin" && !isInside(prefix, canonicalPath(judge.home));
	const beside = isPrefix ? listIfThere(prefix).filter((name) => !name.startsWith(".")) : [];
	return [
		directory,
		...(packages === undefined ? [] : [packages]),
		...beside
			.map((name) => join(prefix, name))
			.filter((place) => judge.explain(canonicalPath(place)) === undefined),
	];
}
