const ALLOWED_NAMES = new Set([
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"LANG",
	"LANGUAGE",
	"TZ",
	"TMPDIR",
	"TMP",
	"TEMP",
	"TERM",
	"VIRTUAL_ENV",
	"CONDA_PREFIX",
	"PYTHONPATH",
	"PYENV_ROOT",
	"PYENV_VERSION",
	"JAVA_HOME",
	"GEM_HOME",
	"GEM_PATH",
	"BUNDLE_PATH",
	"RUSTUP_HOME",
	"RUSTUP_TOOLCHAIN",
	"CARGO_HOME",
	"CARGO_TARGET_DIR",
	"FLUTTER_ROOT",
	"DEVELOPER_DIR",
	"SDKROOT",
	"CPATH",
	"C_INCLUDE_PATH",
	"CPLUS_INCLUDE_PATH",
	"NVM_DIR",
	"VOLTA_HOME",
	"SYSTEMROOT",
	"APPDATA",
	"LOCALAPPDATA",
	"PROGRAMFILES",
	"USERPROFILE",
	"PATHEXT",
]);
const ALLOWED_PREFIXES = ["LC_", "XDG_", "GO"];
const REFUSED_NAMES = new Set(["GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOAUTH"]);

/**
 * What a language server gets to see. It runs code and configuration of the project, so it is given what tools
 * need to find each other and none of the provider keys that live in the same environment.
 */
export function buildServerEnvironment(
	env: Readonly<Record<string, string | undefined>>,
	extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && isAllowed(name.toUpperCase())) kept[name] = value;
	}
	// A toolchain line in go.mod would otherwise download a compiler.
	return { ...kept, GOTOOLCHAIN: "local", ...extra };
}

function isAllowed(name: string): boolean {
	if (ALLOWED_NAMES.has(name)) return true;
	if (REFUSED_NAMES.has(name) || name.startsWith("GOOGLE")) return false;
	return ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
