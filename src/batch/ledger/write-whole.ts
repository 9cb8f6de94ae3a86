import { writeSync } from "node:fs";

/** A write may take only a part, as on a nearly full disk. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
	for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
