import type { Environment } from "@deputize/ground";

/** By exact name: a prefix such as `GO` also passes `GODADDY_API_SECRET`. Nothing here is ever a credential. */
const ALLOWED_NAMES = new Set([
	...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TMP", "TEMP"],
	...["LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME"],
	...[
		"XDG_CACHE_HOME",
		"XDG_CONFIG_HOME",
		"XDG_CONFIG_DIRS",
		"XDG_DATA_HOME",
		"XDG_DATA_DIRS",
		"XDG_STATE_HOME",
	],
	...["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYENV_ROOT", "PYENV_VERSION"],
	...["JAVA_HOME", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "FLUTTER_ROOT"],
	...["RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "CARGO_TARGET_DIR"],
	...["GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOBIN", "GOENV", "GOFLAGS", "GOWORK", "GOTMPDIR"],
	...["GOOS", "GOARCH", "GOAMD64", "GOARM", "GOARM64", "GOEXPERIMENT", "GO111MODULE", "CGO_ENABLED"],
	...["DEVELOPER_DIR", "SDKROOT", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"],
	...["NVM_DIR", "VOLTA_HOME"],
	...["SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "USERPROFILE", "PATHEXT"],
]);

/**
 * What compilers, test runners and language servers need to find each other, and none of the provider keys that are in
 * the same environment: they run code and configuration of a project.
 */
export function pickToolVariables(env: Environment): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && ALLOWED_NAMES.has(name.toUpperCase())) kept[name] = value;
	}
	return kept;
}
