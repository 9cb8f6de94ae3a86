import { type BigIntStats, lstatSync } from "node:fs";
import { codeOf } from "@deputize/ground";

/** The path of a file by its bytes, which are characters of one byte each. */
export function toPath(top: string, raw: string): Buffer {
	return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(raw, "latin1")]);
}

/** What is at a path itself, no link followed at its end. Undefined when nothing is, or a file is above it. */
export function lookAt(top: string, raw: string): BigIntStats | undefined {
	try {
		return lstatSync(toPath(top, raw), { bigint: true });
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
		throw error;
	}
}
