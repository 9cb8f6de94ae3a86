import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@deputize/ground";
import { LAYER_DIRECTORIES } from "../sandbox/probe-layers.ts";

/** Removes a layer with everything that is stored for it. */
export function removeLayer(state: string): void {
	removeTree(state);
}

/** Removes what a child wrote, and leaves what is stored. */
export function removeLayerFiles(state: string): void {
	for (const name of [...LAYER_DIRECTORIES, "copy"]) removeTree(join(state, name));
	rmSync(join(state, "lower"), { force: true });
}

/**
 * A child can have taken away its own right to enter a directory, the kernel makes one that nobody may, and directories can
 * be deeper than any path: they are moved up before what is in them is removed.
 */
function removeTree(path: string): void {
	try {
		rmSync(path, { recursive: true, force: true });
	} catch (error) {
		if (!["EACCES", "EPERM", "ENOTEMPTY", "ENAMETOOLONG"].includes(codeOf(error) ?? "")) throw error;
		removeFlat(Buffer.from(path));
	}
}

function removeFlat(top: Buffer): void {
	const prefix = `removed-${randomBytes(6).toString("hex")}`;
	const waiting = [top];
	let count = 0;
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
		chmodSync(at, 0o700);
		for (const name of readdirSync(at, { encoding: "buffer" })) {
			const entry = Buffer.concat([at, SLASH, name]);
			if (!lstatSync(entry).isDirectory()) {
				unlinkSync(entry);
				continue;
			}
			count += 1;
			const moved = Buffer.concat([top, Buffer.from(`/${prefix}-${count}`)]);
			// A directory that may not be written to cannot be moved to another one.
			chmodSync(entry, 0o700);
			renameSync(entry, moved);
			waiting.push(moved);
		}
		if (at !== top) rmdirSync(at);
	}
	rmdirSync(top);
}

const SLASH = Buffer.from("/");
