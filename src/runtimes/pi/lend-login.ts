import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asObject, isObject, type JsonObject } from "../../json/json-values.ts";
import { parseJson } from "../../json/parse-json.ts";
import { readIfThere } from "../../paths/read-if-there.ts";

/** pi's file of keys as one child sees it: the login of its own provider and nothing else. */
export interface LentLogin {
	/** Mounted over the real file. */
	readonly file: string;
	/** pi will refresh the login during the run, and writes it back to its file. */
	readonly isWritable: boolean;
	/** Takes a refreshed login back into the real file. Called once, when the child is gone. */
	giveBack(): void;
}

/** pi refreshes a login a little before it ends. */
const REFRESH_MARGIN_MS = 10 * 60 * 1000;
const MAX_TOKEN_CHARS = 32 * 1024;

/**
 * A confined child never gets pi's own file of keys: a key in it may be a command that the next pi runs. It gets a
 * copy with one login. A login that has to be refreshed during the run is lent in a copy that all children of this
 * provider share, as they would share the file: a refresh token often works only once.
 */
export function lendLogin(options: {
	readonly agentDirectory: string;
	readonly runDirectory: string;
	/** Undefined when only pi can tell: all logins are lent. */
	readonly provider: string | undefined;
	readonly timeoutMs: number;
	readonly now?: number;
}): LentLogin | undefined {
	const real = join(options.agentDirectory, "auth.json");
	const select = (): JsonObject | undefined => selectLogins(readLogins(real), options.provider);
	const endsSoon = (logins: JsonObject | undefined): boolean => {
		const until = (options.now ?? Date.now()) + options.timeoutMs + REFRESH_MARGIN_MS;
		return Object.values(logins ?? {}).some((login) => isOauth(login) && login.expires < until);
	};
	const isWritable = endsSoon(select());
	const shared = join(options.agentDirectory, "deputize", "lent-logins", `${options.provider ?? "all"}.json`);
	// Another run may have left a refreshed login there that it could not take back itself.
	if (isWritable) takeBackTokens(shared, real);
	const lent = select();
	if (lent === undefined) return undefined;
	const file = writeFirst(
		[...(isWritable ? [shared] : []), join(options.runDirectory, "auth.json")],
		JSON.stringify(lent, null, 2),
	);
	return {
		file,
		isWritable,
		giveBack() {
			if (!isWritable) return;
			takeBackTokens(file, real);
			// While the login still has to be refreshed another child may be about to: its copy must last.
			if (!endsSoon(select())) rmSync(file, { force: true });
		},
	};
}

/**
 * Copies access token, refresh token and end of newer logins, field by field. Everything else in the copy is
 * ignored: a child that wrote a command, an address or another provider there has written it for nobody.
 */
function takeBackTokens(copy: string, real: string): void {
	const logins = readLogins(real);
	const lent = readLogins(copy);
	if (logins === undefined || lent === undefined) return;
	let isChanged = false;
	for (const [provider, login] of Object.entries(logins)) {
		const refreshed = lent[provider];
		if (!isOauth(login) || !isOauth(refreshed) || refreshed.expires <= login.expires) continue;
		const { access, refresh, expires } = refreshed;
		logins[provider] = { ...login, access, refresh, expires };
		isChanged = true;
	}
	if (!isChanged) return;
	try {
		writePrivate(real, JSON.stringify(logins, null, 2));
	} catch {
		// Nobody may write there: the next run refreshes again.
	}
}

interface OauthLogin extends JsonObject {
	readonly access: string;
	readonly refresh: string;
	readonly expires: number;
}

function isOauth(login: unknown): login is OauthLogin {
	return (
		isObject(login) &&
		login["type"] === "oauth" &&
		isToken(login["access"]) &&
		isToken(login["refresh"]) &&
		Number.isFinite(login["expires"])
	);
}

/** pi reads a leading `!` as a command and `$` as a variable; no token begins with either. */
function isToken(value: unknown): boolean {
	return (
		typeof value === "string" && value.length <= MAX_TOKEN_CHARS && /^[\w+/=.~-][\x21-\x7e]*$/.test(value)
	);
}

function selectLogins(logins: JsonObject | undefined, provider: string | undefined): JsonObject | undefined {
	if (logins === undefined || provider === undefined) return logins;
	return Object.hasOwn(logins, provider) ? { [provider]: logins[provider] } : {};
}

function readLogins(file: string): JsonObject | undefined {
	const text = readIfThere(file);
	return text === undefined ? undefined : asObject(parseJson(text));
}

/** A home directory that cannot be written to still has a run directory; a login refreshed there lasts for the run. */
function writeFirst(files: readonly string[], text: string): string {
	const [file = "", ...others] = files;
	try {
		if (readIfThere(file) !== text) writePrivate(file, text);
		return file;
	} catch (error) {
		if (others.length === 0) throw error;
		return writeFirst(others, text);
	}
}

/** In place, not by renaming: a copy that is mounted in a child must stay the same file. */
function writePrivate(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	writeFileSync(file, text, { mode: 0o600 });
}
