import { existsSync } from "node:fs";
import { join, parse } from "node:path";
import { type Environment, expandHome, readHome, readIfThere } from "@deputize/ground";
import { findExecutable } from "../process/find-executable.ts";
import { runCommand } from "../process/run-command.ts";
import { buildGitEnvironment } from "./build-git-environment.ts";
import { checkOwners } from "./check-owners.ts";
import type { FoundRepository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";
import { toGitError } from "./open-repository.ts";
import type { StoreSettings } from "./open-store.ts";

const MAX_BYTES = 1024 * 1024;
const WANTED = "^(core\\.(excludesfile|filemode)|extensions\\.objectformat)$";

/** Where nobody says what belongs to a project, what a program put there does not. */
const WITHOUT_REPOSITORY = "node_modules/\n.venv/\n__pycache__/\n";

/** What a store has to know of the repository whose files it is shown: nothing that could start a program. */
export async function readStoreSettings(
	found: FoundRepository | undefined,
	env: Environment,
): Promise<StoreSettings> {
	if (found === undefined) return { objectFormat: "sha1", excludes: WITHOUT_REPOSITORY, hasFileModes: true };
	const closed = buildGitEnvironment(found, env);
	const program = findExecutable("git", closed);
	if (program === undefined) throw new GitError("git was not found on PATH. Install Git.");
	await checkOwners(found, { program, env });
	const home = readHome(env);
	const ending = await runCommand({
		command: program,
		args: ["config", "--null", "--get-regexp", WANTED],
		cwd: parse(found.top).root,
		// With the user's own settings, because what a person ignores everywhere is ignored here too.
		env: { PATH: closed["PATH"] ?? "", HOME: home, LC_ALL: "C", GIT_DIR: found.gitDirectory },
		maxStdoutBytes: MAX_BYTES,
	});
	// 1 is that it says nothing of these.
	if (ending.reason !== "exit" || ![0, 1].includes(ending.exitCode ?? -1))
		throw toGitError(["config"], ending);
	const values = new Map(
		ending.stdout
			.toString("utf8")
			.split("\0")
			.map((line) => [line.slice(0, line.indexOf("\n")), line.slice(line.indexOf("\n") + 1)]),
	);
	const named = values.get("core.excludesfile");
	const configured = env["XDG_CONFIG_HOME"] || join(home, ".config");
	const own = named === undefined ? join(configured, "git", "ignore") : expandHome(named, home);
	// The later rule wins, and the repository's own come last.
	const files = [own, join(commonDirectory(found), "info", "exclude")];
	return {
		objectFormat: values.get("extensions.objectformat") === "sha256" ? "sha256" : "sha1",
		excludes: files.map((file) => `${readIfThere(file, MAX_BYTES) ?? ""}\n`).join(""),
		hasFileModes: values.get("core.filemode") !== "false",
	};
}

/** Where objects are, those that the repository borrows itself too. */
export function listObjectPlaces({ places }: FoundRepository): readonly string[] {
	return places.filter((path) => existsSync(join(path, "pack")));
}

function commonDirectory({ gitDirectory }: FoundRepository): string {
	const pointer = readIfThere(join(gitDirectory, "commondir"), MAX_BYTES)?.trim();
	return pointer === undefined ? gitDirectory : join(gitDirectory, pointer);
}
