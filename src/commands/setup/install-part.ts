import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	asText,
	codeOf,
	findForeignDirectory,
	type JsonObject,
	listIfThere,
	statIfThere,
	stripControlSequences,
} from "@deputize/ground";
import type { Surroundings } from "../../config/read-surroundings.ts";
import { explainChangedPart } from "../../parts/explain-changed-part.ts";
import { isCompletePart } from "../../parts/is-complete-part.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { writePartContents } from "../../parts/part-contents.ts";
import { locatePartDirectory, locatePartsDirectory } from "../../parts/part-directory.ts";
import { PART_ROWS, type PartName } from "../../parts/part-rows.ts";
import { type PartLock, readPartLocks } from "../../parts/read-part-locks.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { identifyProcess, isProcessAlive } from "../../process/identify-process.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { SetupError } from "./setup-error.ts";

type InstallOutcome = "installed" | "already";

const INSTALL_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** An installation that is being made is named for its process; without that, or this old, it was given up. */
const UNFINISHED = /^\.new-\w+-(\d+)-(\d*)-/;
const ABANDONED_AFTER_MS = 60 * 60_000;
/** A registry that cannot be reached is reported after seconds, not after npm's usual minutes. */
const NPM_ARGUMENTS = [
	"ci",
	// Settings of the user's, or of the project that `npx` was started in, would leave nothing, or half of it.
	"--dry-run=false",
	"--package-lock-only=false",
	"--global=false",
	"--workspaces=false",
	"--include=prod",
	"--include=optional",
	"--install-strategy=hoisted",
	`--os=${process.platform}`,
	`--cpu=${process.arch}`,
	"--ignore-scripts",
	"--no-audit",
	"--no-fund",
	"--prefer-offline",
	"--fetch-retries=1",
	"--fetch-retry-mintimeout=1000",
	"--loglevel=error",
];

/**
 * Installs a part with npm: the versions and checksums that came with this package, no install scripts. Made beside its
 * place and then moved there, so that nobody ever finds half of it, also when several do this at once.
 */
export async function installPart(
	part: PartName,
	surroundings: Pick<Surroundings, "agentDirectory" | "env">,
	signal?: AbortSignal,
): Promise<InstallOutcome> {
	const { agentDirectory, env } = surroundings;
	const isThere = (): boolean => {
		const located = locatePart(part, { agentDirectory });
		return located !== undefined && explainChangedPart(located) === undefined;
	};
	if (isThere()) return "already";
	const lock = readPartLocks()[part];
	if (lock === undefined) throw new SetupError("this copy of deputize was not built. Run: npm run build");
	const npm = findExecutable("npm", env);
	if (npm === undefined)
		throw new SetupError(
			"npm was not found on PATH outside of this project. It comes with Node: install Node from nodejs.org.",
		);
	const parts = locatePartsDirectory(agentDirectory);
	const foreign = findForeignDirectory(agentDirectory, locatePartDirectory(agentDirectory, part, lock));
	if (foreign !== undefined)
		throw new SetupError(
			`${foreign} belongs to somebody else, or others may write to it, and what is in it would run as you. Make it yours and closed (chmod 700), or remove it.`,
		);
	const { pid, startTime = "" } = identifyProcess(process.pid);
	const place = join(parts, `.new-${part}-${pid}-${startTime}-${randomUUID()}`);
	try {
		makeProject(place, part, lock);
		const ending = await runCommand({
			command: npm,
			args: NPM_ARGUMENTS,
			cwd: place,
			env: toNpmEnvironment(env),
			timeoutMs: INSTALL_TIMEOUT_MS,
			maxStdoutBytes: MAX_OUTPUT_BYTES,
			...(signal && { signal }),
		});
		if (ending.reason !== "exit" || ending.exitCode !== 0)
			throw new SetupError(explainInstallFailure(ending));
		if (!isCompletePart(join(place, "node_modules"), PART_ROWS[part].packages))
			throw new SetupError(`npm installed ${part} without an error, but it is not complete. Try again.`);
		writePartContents(join(place, "node_modules"));
		putInPlace(place, locatePartDirectory(agentDirectory, part, lock), isThere);
	} catch (error) {
		if (error instanceof SetupError) throw error;
		throw new SetupError(
			`${parts} cannot be written (${codeOf(error)}). Free space there, or fix its permissions.`,
		);
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
	removeOthers(parts, part, lock);
	return "installed";
}

/** A project that needs nothing but the part, with our lock. */
function makeProject(place: string, part: PartName, lock: PartLock): void {
	const version = (name: string): string =>
		asText((lock.packages[`node_modules/${name}`] as JsonObject)["version"]);
	const manifest = {
		name: `deputize-part-${part}`,
		version: "1.0.0",
		private: true,
		dependencies: Object.fromEntries(PART_ROWS[part].packages.map((name) => [name, version(name)])),
	};
	mkdirSync(place, { recursive: true, mode: 0o700 });
	writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
	const packages = { "": manifest, ...lock.packages };
	writeFileSync(
		join(place, "package-lock.json"),
		JSON.stringify({ ...manifest, lockfileVersion: 3, packages }),
	);
}

/** Inside `npm start` or `npx` every setting of that npm is in the environment; a prefix among them would move the result. */
function toNpmEnvironment(env: Surroundings["env"]): Record<string, string> {
	const kept = Object.entries(env).flatMap(([name, value]) =>
		value === undefined ||
		/^npm_(?:config_(?:global|prefix|local_prefix|omit|include|workspace)|package_|lifecycle_)/i.test(name)
			? []
			: [[name, value] as const],
	);
	return { ...Object.fromEntries(kept), npm_config_update_notifier: "false" };
}

/** Somebody else may have been first: what is there has the same content, unless it is half a part. */
function putInPlace(from: string, to: string, isThere: () => boolean): void {
	try {
		renameSync(from, to);
	} catch (error) {
		const code = codeOf(error);
		if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
		if (isThere()) return;
		rmSync(to, { recursive: true, force: true });
		renameSync(from, to);
	}
}

/** Other versions of the part, and installations that were given up. */
function removeOthers(parts: string, part: PartName, { fingerprint }: PartLock): void {
	for (const name of listIfThere(parts)) {
		const isOther = name.startsWith(`${part}@`) && name !== `${part}@${fingerprint}`;
		if (isOther || (name.startsWith(".") && isAbandoned(parts, name)))
			rmSync(join(parts, name), { recursive: true, force: true });
	}
}

function isAbandoned(parts: string, name: string): boolean {
	const [, pid, startTime] = UNFINISHED.exec(name) ?? [];
	const maker = { pid: Number(pid), ...(startTime && { startTime: Number(startTime) }) };
	if (pid !== undefined && !isProcessAlive(maker)) return true;
	const entry = statIfThere(join(parts, name));
	return entry !== undefined && Date.now() - entry.mtimeMs > ABANDONED_AFTER_MS;
}

const UNREACHABLE =
	/\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const MAX_DETAIL_CHARS = 400;

/** What npm says takes a page; this is the line that matters. */
function explainInstallFailure({ reason, stderr, message }: CommandEnding): string {
	const said = stripControlSequences(stderr).replaceAll(/^npm (?:error|ERR!) ?/gm, "");
	if (reason === "aborted") return "cancelled; nothing was changed.";
	const unreachable = UNREACHABLE.exec(said)?.[0];
	if (unreachable !== undefined)
		return `the npm registry cannot be reached (${unreachable}). Check the connection, or npm's registry and proxy settings; nothing was changed.`;
	if (said.includes("EINTEGRITY"))
		return "the registry sent a file with another checksum than the one this version was tested with. Nothing was installed.";
	const missing = /\bE404\b|ETARGET|No matching version/.test(said);
	const detail = said
		.split("\n")
		.filter((line) => line.trim() !== "" && !/^(?:code|A complete log|\s+\/)/.test(line));
	const shown = (detail.slice(0, 3).join(" ") || message || "no reason given").slice(0, MAX_DETAIL_CHARS);
	return missing
		? `the npm registry does not have what is needed: ${shown}`
		: `npm failed: ${shown}. Nothing was changed.`;
}
