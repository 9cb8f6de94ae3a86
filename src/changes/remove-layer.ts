import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
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

/** A child can have taken away its own right to enter a directory, and the kernel makes one that nobody may. */
function removeTree(path: string): void {
	try {
		rmSync(path, { recursive: true, force: true });
	} catch (error) {
		if (!["EACCES", "EPERM", "ENOTEMPTY"].includes(codeOf(error) ?? "")) throw error;
		openDirectories(Buffer.from(path));
		rmSync(path, { recursive: true, force: true });
	}
}

function openDirectories(path: Buffer): void {
	if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
	chmodSync(path, 0o700);
	for (const name of readdirSync(path, { encoding: "buffer" }))
		openDirectories(Buffer.concat([path, Buffer.from("/"), name]));
}
