import { delimiter, join, parse } from "node:path";
import { canonicalPath, type Environment, isInside } from "@deputize/ground";
import { searchPath } from "../process/find-executable.ts";
import type { FoundRepository } from "./find-repository.ts";

/**
 * Override what the repository says. By the environment and not by `-c`, which cuts a name at its first `=`; and there is
 * no list of filters to switch off, because Git is never shown a file that one could be for.
 */
const SETTINGS: Readonly<Record<string, string>> = {
	"advice.graftFileDeprecated": "false",
	"core.fsmonitor": "false",
	"core.untrackedCache": "false",
	"core.hooksPath": "/dev/null",
	"core.attributesFile": "/dev/null",
	"core.excludesFile": "/dev/null",
	"core.quotePath": "false",
	"core.alternateRefsCommand": "false",
	"core.askPass": "false",
	"core.editor": "false",
	"core.gitProxy": "false",
	"core.pager": "cat",
	"core.sshCommand": "false",
	"credential.helper": "",
	"diff.external": "",
	"diff.ignoreSubmodules": "all",
	"diff.orderFile": "/dev/null",
	"diff.submodule": "short",
	"fetch.recurseSubmodules": "false",
	"gpg.program": "false",
	"gpg.ssh.program": "false",
	"gpg.x509.program": "false",
	"log.mailmap": "false",
	"log.showSignature": "false",
	"protocol.allow": "never",
	"protocol.ext.allow": "never",
	"safe.bareRepository": "explicit",
	"submodule.recurse": "false",
};

/** Git reads the objects and names of one repository, nobody's settings but the repository's own, and has no work tree. */
export function buildGitEnvironment(
	{ top, gitDirectory }: Pick<FoundRepository, "top" | "gitDirectory">,
	env: Environment,
): Record<string, string> {
	const numbered = Object.entries(SETTINGS).flatMap(([name, value], at) => [
		[`GIT_CONFIG_KEY_${at}`, name],
		[`GIT_CONFIG_VALUE_${at}`, value],
	]);
	return {
		PATH: searchPathOutside(top, env),
		HOME: env["HOME"] ?? "",
		LC_ALL: "C",
		GIT_DIR: gitDirectory,
		// A name that does not exist: what a command would take from files is taken from nowhere.
		GIT_WORK_TREE: join(parse(gitDirectory).root, "no-work-tree"),
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_CONFIG_SYSTEM: "/dev/null",
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_CONFIG_COUNT: String(Object.keys(SETTINGS).length),
		...(Object.fromEntries(numbered) as Record<string, string>),
		GIT_ALLOW_PROTOCOL: "none",
		GIT_ATTR_NOSYSTEM: "1",
		// A directory may be called `*` or `:!x`.
		GIT_LITERAL_PATHSPECS: "1",
		GIT_GRAFT_FILE: "/dev/null",
		GIT_NO_LAZY_FETCH: "1",
		GIT_NO_REPLACE_OBJECTS: "1",
		GIT_OPTIONAL_LOCKS: "0",
		GIT_TERMINAL_PROMPT: "0",
	};
}

/** `npx` and friends put the project's own programs on PATH; one of them could be called git. */
function searchPathOutside(top: string, env: Environment): string {
	return searchPath(env)
		.filter((directory) => !isInside(top, canonicalPath(directory)))
		.join(delimiter);
}
