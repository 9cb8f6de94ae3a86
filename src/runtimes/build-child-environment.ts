import { PROVIDER_KEY_VARIABLES } from "../config/find-credentials.ts";

/** Names a program needs to run at all. */
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
	...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_COMPILE_CACHE"],
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
]);
const ORDINARY_PREFIXES = ["LC_", "XDG_"];
/** Settings that go with provider keys: regions, endpoints, projects. */
const PROVIDER_PREFIXES = [
	"ANTHROPIC_",
	"OPENAI_",
	"AZURE_OPENAI_",
	"GOOGLE_CLOUD_",
	"GOOGLE_VERTEX_",
	"AWS_",
	"CLOUDFLARE_",
];
const PROVIDER_KEYS = new Set(Object.values(PROVIDER_KEY_VARIABLES).flat());

/**
 * The child's environment. One that may not write gets what pi and the provider need and nothing else, so
 * that a token of another service cannot be read out of it. One that may write runs the user's commands and
 * gets what the user has.
 */
export function buildChildEnvironment(options: {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly mayWrite: boolean;
	/** Further names: keys that pi's models.json or the search configuration refer to. */
	readonly extraNames: readonly string[];
	readonly set: Readonly<Record<string, string>>;
}): Readonly<Record<string, string>> {
	const extra = new Set(options.extraNames);
	const passed = Object.entries(options.env).filter(
		(entry): entry is [string, string] =>
			entry[1] !== undefined &&
			!isOurs(entry[0]) &&
			(options.mayWrite || extra.has(entry[0]) || isNeeded(entry[0])),
	);
	return { ...Object.fromEntries(passed), ...options.set };
}

/** Whatever the caller put there must not pose as a decision of this package. */
function isOurs(name: string): boolean {
	return name.startsWith("PI_SUBAGENT_");
}

function isNeeded(name: string): boolean {
	return (
		ORDINARY.has(name) ||
		PROVIDER_KEYS.has(name) ||
		name.startsWith("PI_") ||
		[...ORDINARY_PREFIXES, ...PROVIDER_PREFIXES].some((prefix) => name.startsWith(prefix))
	);
}
