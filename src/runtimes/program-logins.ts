import { join } from "node:path";
import { asObject, parseJsonObject, readIfThere, readJsonFile } from "@deputize/ground";
import type { UserPlace } from "../config/read-surroundings.ts";
import { findExecutable } from "../process/find-executable.ts";
import type { ProgramName } from "./can-use-model.ts";

type LoginPlace = Pick<UserPlace, "env" | "home">;

/** Where the user's own login of a program is. */
interface ProgramLogin {
	/** What the program calls itself as a client of MCP. */
	readonly clientName: RegExp;
	readonly fileName: string;
	findDirectory(place: LoginPlace): string;
	/** Any of these is a login as well. */
	readonly variables: readonly string[];
	/** A login that is not in the file. */
	hasOther(place: LoginPlace): boolean;
}

export const CLAUDE_LOGIN_VARIABLE = "CLAUDE_SECURESTORAGE_CONFIG_DIR";

/** The directory that the user named; empty for the usual one. */
export function findNamedClaudeDirectory({ env }: Pick<UserPlace, "env">): string {
	return env[CLAUDE_LOGIN_VARIABLE] ?? env["CLAUDE_CONFIG_DIR"] ?? "";
}

export const PROGRAM_LOGINS: Readonly<Record<ProgramName, ProgramLogin>> = {
	claude: {
		clientName: /^claude-code\b/,
		fileName: ".credentials.json",
		findDirectory: (place) => findNamedClaudeDirectory(place) || join(place.home, ".claude"),
		variables: [
			...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
			...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
		],
		// On macOS the login is in the keychain, and its account here.
		hasOther({ env, home }) {
			const settings = readIfThere(join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"));
			return Object.keys(asObject(parseJsonObject(settings ?? "")?.["oauthAccount"])).length > 0;
		},
	},
	codex: {
		clientName: /^codex\b/,
		fileName: "auth.json",
		findDirectory: ({ env, home }) => env["CODEX_HOME"] || join(home, ".codex"),
		variables: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
		// The key of a provider of the user's own.
		hasOther({ env, home }) {
			const settings = readIfThere(join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml")) ?? "";
			const named = /^\s*env_key\s*=\s*["']([^"']+)["']/m.exec(settings)?.[1];
			return named !== undefined && Boolean(env[named]);
		},
	},
};

const NAMES = Object.keys(PROGRAM_LOGINS) as readonly ProgramName[];

export function isLoggedIn(name: ProgramName, place: LoginPlace): boolean {
	const { fileName, findDirectory, variables, hasOther } = PROGRAM_LOGINS[name];
	const file = asObject(readJsonFile(join(findDirectory(place), fileName)));
	return (
		Object.keys(file).length > 0 ||
		variables.some((variable) => Boolean(place.env[variable]?.trim())) ||
		hasOther(place)
	);
}

/** The program of the client that calls, when it can be a child here. */
export function findClientProgram(client: string | undefined, place: LoginPlace): ProgramName | undefined {
	const own = NAMES.find((name) => PROGRAM_LOGINS[name].clientName.test(client ?? ""));
	return own !== undefined && isUsable(own, place) ? own : undefined;
}

/** Programs that could be children here: on PATH and logged in. */
export function listUsablePrograms(place: LoginPlace): readonly ProgramName[] {
	return NAMES.filter((name) => isUsable(name, place));
}

function isUsable(name: ProgramName, place: LoginPlace): boolean {
	return findExecutable(name, place.env) !== undefined && isLoggedIn(name, place);
}
