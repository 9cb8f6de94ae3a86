import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

export interface ProtectedLocations {
	readonly cwd: string;
	readonly home: string;
	readonly agentDirectory: string;
}

/** Where people keep credentials. A directory stands for everything in it. */
const IN_HOME = [
	...[
		".ssh",
		".gnupg",
		".aws",
		".azure",
		".kube",
		".password-store",
		".config/gcloud",
		".config/gh",
		".config/op",
	],
	...[
		".docker/config.json",
		".netrc",
		"_netrc",
		".npmrc",
		".yarnrc.yml",
		".pypirc",
		".git-credentials",
		".pgpass",
	],
	...[
		".config/git/credentials",
		".cargo/credentials",
		".cargo/credentials.toml",
		".gem/credentials",
		".my.cnf",
	],
	...[
		".config/rclone",
		".config/hub",
		".terraform.d/credentials.tfrc.json",
		".vault-token",
		".claude/.credentials.json",
	],
	...[".codex/auth.json", ".local/share/keyrings", "Library/Keychains", ".mozilla", ".config/google-chrome"],
];
const IN_AGENT_DIRECTORY = ["auth.json", "models.json"];
const IN_SYSTEM = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private", "/etc/ssh"];
/** What a process was started with, and its memory; `self` is this very child. */
const PROCESS_SECRETS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(environ|mem|maps|cmdline|auxv|fd|root|cwd)(\/|$)/;

/** Tools that look at a whole tree: for them a directory above a protected one is just as good. */
const SEARCHES = ["grep", "find"];
const PATH_FIELDS = ["path", "file", "file_path", "filepath"];

/**
 * Why a readonly child may not look at a path, or undefined. Readonly does not mean harmless: a child that
 * can also fetch web pages could carry a key out in an address.
 */
export function explainProtectedPath(
	tool: string,
	input: Readonly<Record<string, unknown>>,
	locations: ProtectedLocations,
): string | undefined {
	for (const wanted of listPaths(input)) {
		const real = canonical(resolvePath(wanted, locations));
		if (PROCESS_SECRETS.test(real)) return refuse(wanted, "it shows the inside of a process");
		const secret = listProtected(locations).find((path) => isInside(real, path));
		if (secret) return refuse(wanted, "credentials are kept there");
		const below = SEARCHES.includes(tool) && listProtected(locations).some((path) => isInside(path, real));
		if (below) return refuse(wanted, "credentials are kept below it; search a narrower directory");
		if (SEARCHES.includes(tool) && isInside("/proc", real))
			return refuse(wanted, "search a narrower directory");
	}
	return undefined;
}

function refuse(path: string, reason: string): string {
	return `Reading ${path} is not allowed in a readonly subagent: ${reason}.`;
}

function listPaths(input: Readonly<Record<string, unknown>>): readonly string[] {
	const single = PATH_FIELDS.map((field) => input[field]);
	const many = Array.isArray(input["files"]) ? input["files"] : [];
	const given = [...single, ...many].filter((value): value is string => typeof value === "string");
	// Without a path a search starts in the working directory.
	return given.length > 0 ? given : ["."];
}

function resolvePath(path: string, { cwd, home }: ProtectedLocations): string {
	const expanded = path.replace(/^@/, "").replace(/^~(?=$|[/\\])/, home);
	return isAbsolute(expanded) ? expanded : resolve(cwd, expanded);
}

/** The real path, or that of the nearest part that exists: a link in the middle must not hide the target. */
function canonical(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		const parent = dirname(path);
		return parent === path ? path : join(canonical(parent), basename(path));
	}
}

function listProtected({ home, agentDirectory }: ProtectedLocations): readonly string[] {
	return [
		...IN_HOME.map((name) => join(home, name)),
		...IN_AGENT_DIRECTORY.map((name) => join(agentDirectory, name)),
		...IN_SYSTEM,
	].map(canonical);
}

function isInside(path: string, directory: string): boolean {
	const way = relative(directory, path);
	return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
