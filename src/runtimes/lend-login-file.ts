import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type JsonObject, parseJsonObject, readIfThere } from "@deputize/ground";

/** A file of keys as one child sees it: the login of its own provider and nothing else. */
export interface LentLogin {
	/** What the child has in place of the real file. */
	readonly file: string;
	/** The login will be refreshed during the run, and the child writes it back to its file. */
	readonly isWritable: boolean;
	/** Takes a refreshed login back into the real file. Called once, when the child is gone. */
	giveBack(): void;
}

/** What is in a file of keys. */
export interface LoginFormat {
	/** The part that is lent. */
	select(logins: JsonObject): JsonObject;
	/** When the first of the logins ends, in milliseconds since the epoch; infinite for keys. */
	endsAt(logins: JsonObject): number;
	/**
	 * The real file with the newer tokens of the copy, field by field, or undefined when there are none. Everything else in the copy
	 * is ignored: a child that wrote a command, an address or another provider there has written it for nobody.
	 */
	takeBack(real: JsonObject, copy: JsonObject): JsonObject | undefined;
}

/** Programs refresh a login a little before it ends. */
const REFRESH_MARGIN_MS = 10 * 60 * 1000;

/**
 * A confined child never gets the user's own file of keys, but a copy with one login. A login that has to be refreshed
 * during the run is lent in a copy that all such children share, as they would share the file: a refresh token often
 * works only once.
 */
export function lendLoginFile(options: {
	readonly real: string;
	readonly format: LoginFormat;
	/** Of this run only, for a login that outlasts it. */
	readonly ownCopy: string;
	readonly sharedCopy: string;
	readonly timeoutMs: number;
	readonly now?: number;
}): LentLogin | undefined {
	const { real, format } = options;
	const select = (): JsonObject | undefined => {
		const logins = readLogins(real);
		return logins && format.select(logins);
	};
	const endsSoon = (logins: JsonObject | undefined): boolean =>
		logins !== undefined &&
		format.endsAt(logins) < (options.now ?? Date.now()) + options.timeoutMs + REFRESH_MARGIN_MS;
	const isWritable = endsSoon(select());
	const { ownCopy, sharedCopy } = options;
	// Another run may have left a refreshed login there that it could not take back itself.
	if (isWritable) takeBackLogin(sharedCopy, real, format);
	const lent = select();
	if (lent === undefined) return undefined;
	const file = writeFirst([...(isWritable ? [sharedCopy] : []), ownCopy], JSON.stringify(lent, null, 2));
	return {
		file,
		isWritable,
		giveBack() {
			if (!isWritable) return;
			takeBackLogin(file, real, format);
			// While the login still has to be refreshed another child may be about to: its copy must last.
			if (!endsSoon(select())) rmSync(file, { force: true });
		},
	};
}

/** Writes newer tokens of the copy into the real file. */
export function takeBackLogin(copy: string, real: string, format: LoginFormat): void {
	const logins = readLogins(real);
	const lent = readLogins(copy);
	if (logins === undefined || lent === undefined) return;
	const refreshed = format.takeBack(logins, lent);
	if (refreshed === undefined) return;
	try {
		writePrivate(real, JSON.stringify(refreshed, null, 2));
	} catch {
		// Nobody may write there: the next run refreshes again.
	}
}

const MAX_TOKEN_CHARS = 32 * 1024;

/** pi reads a leading `!` as a command and `$` as a variable; no token begins with either. */
export function isLoginToken(value: unknown): value is string {
	return (
		typeof value === "string" && value.length <= MAX_TOKEN_CHARS && /^[\w+/=.~-][\x21-\x7e]*$/.test(value)
	);
}

function readLogins(file: string): JsonObject | undefined {
	const text = readIfThere(file);
	return text === undefined ? undefined : (parseJsonObject(text) ?? {});
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
