import { lstatSync, readdirSync, type Stats } from "node:fs";
import { codeOf, sleep } from "@deputize/ground";

/** Bounds what is looked at; a child can make any number of files, and of directories. */
export const MAX_ENTRIES = 1_000_000;
/** What else runs in this process has its turn meanwhile. */
const PAUSE_EVERY = 500;

/** What a child wrote or removed, from the upper directory of a layer: paths as characters of one byte each. */
export interface Touched {
	/** Files and links, and what is gone. */
	readonly paths: ReadonlySet<string>;
	/** Files, links and whole directories that were removed. */
	readonly gone: ReadonlySet<string>;
	/** Pipes, sockets and the like, which a program that opens them waits for. */
	readonly special: ReadonlySet<string>;
	/** There is more than is looked at. */
	readonly isCut: boolean;
	/** Bytes on the disk. */
	readonly bytes: number;
}

const BLOCK_BYTES = 512;

export async function listTouched(upper: string): Promise<Touched> {
	const paths = new Set<string>();
	const gone = new Set<string>();
	const special = new Set<string>();
	let bytes = 0;
	let seen = 0;
	for (const { raw, entry } of walkEntries(upper)) {
		seen += 1;
		if (seen > MAX_ENTRIES) break;
		if (seen % PAUSE_EVERY === 0) await sleep(0);
		bytes += entry.blocks * BLOCK_BYTES;
		if (entry.isDirectory()) continue;
		paths.add(raw);
		// How the kernel notes that something below is not there any more.
		if (entry.isCharacterDevice() && entry.rdev === 0) gone.add(raw);
		else if (!entry.isFile() && !entry.isSymbolicLink()) special.add(raw);
	}
	return { paths, gone, special, isCut: seen > MAX_ENTRIES, bytes };
}

function* walkEntries(top: string): Generator<{ readonly raw: string; readonly entry: Stats }> {
	const waiting = [{ directory: Buffer.from(top), prefix: "" }];
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
		for (const name of listRawNames(at.directory)) {
			const path = Buffer.concat([at.directory, SLASH, name]);
			const raw = `${at.prefix}${name.toString("latin1")}`;
			const entry = unlessReached(() => lstatSync(path));
			if (entry === undefined) continue;
			yield { raw, entry };
			if (entry.isDirectory()) waiting.push({ directory: path, prefix: `${raw}/` });
		}
}

/** What a child closed, removed, or made so deep that no path leads to it. Anything else is a listing that is not complete. */
const UNREACHED = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENAMETOOLONG", "ELOOP"]);

function unlessReached<Found>(look: () => Found): Found | undefined {
	try {
		return look();
	} catch (error) {
		if (UNREACHED.has(codeOf(error) ?? "")) return undefined;
		throw error;
	}
}

const SLASH = Buffer.from("/");

function listRawNames(directory: Buffer): readonly Buffer[] {
	return unlessReached(() => readdirSync(directory, { encoding: "buffer" })) ?? [];
}
