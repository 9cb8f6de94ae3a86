import { createHash } from "node:crypto";

/** The same for the same content, in every process: the beginning of its SHA-256 in hexadecimal. */
export function fingerprint(content: string | Uint8Array, chars = 64): string {
	return createHash("sha256").update(content).digest("hex").slice(0, chars);
}
