import type { Environment } from "@deputize/ground";

/** Variables a program needs to run at all. */
const ORDINARY = new Set([
	...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "TZ", "LANG", "LANGUAGE"],
	...["TMPDIR", "TMP", "TEMP", "NO_COLOR", "FORCE_COLOR"],
	...[
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"NO_PROXY",
		"ALL_PROXY",
		"http_proxy",
		"https_proxy",
		"no_proxy",
		"all_proxy",
	],
	...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
	...["NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE"],
	...[
		"SystemRoot",
		"SYSTEMROOT",
		"ComSpec",
		"PATHEXT",
		"APPDATA",
		"LOCALAPPDATA",
		"USERPROFILE",
		"ProgramFiles",
	],
	...["VIRTUAL_ENV", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME"],
	...["LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"],
	...["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME"],
	...["XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
	...["PI_CODING_AGENT_DIR", "PI_OFFLINE", "PI_SKIP_VERSION_CHECK", "PI_TELEMETRY", "PI_TIMING"],
	...["PI_CACHE_RETENTION", "PI_EXPERIMENTAL"],
]);

/**
 * The child's environment. A child that may not write gets what programs and its one provider need and nothing else, so
 * that another service's token cannot be read out of it. Exact names only: a prefix would let others in. A child that
 * may write runs the user's commands and gets the user's environment.
 */
export function buildChildEnvironment(options: {
	readonly env: Environment;
	readonly mayWrite: boolean;
	/** Further variables: those of the model's provider, and of search providers if their tools were granted. */
	readonly extraNames: readonly string[];
	readonly set: Readonly<Record<string, string>>;
}): Readonly<Record<string, string>> {
	const names = new Set([...ORDINARY, ...options.extraNames]);
	const passed = Object.entries(options.env).filter(
		(entry): entry is [string, string] =>
			entry[1] !== undefined && !isOwnVariable(entry[0]) && (options.mayWrite || names.has(entry[0])),
	);
	return { ...Object.fromEntries(passed), ...options.set };
}

/** Values the caller set must not pass for decisions of this package. */
function isOwnVariable(name: string): boolean {
	return name.startsWith("PI_SUBAGENT_");
}

/** The tools that talk to a search or reader service, and may need its key for it. */
const WITH_A_KEY = ["web_search", "fetch_content", "search_web", "scrape_webpage"];

export function usesSearchKeys(tool: string): boolean {
	return WITH_A_KEY.includes(tool);
}
