import { hash } from "node:crypto";

/** The same for the same content, in every process: the beginning of its SHA-256 in hexadecimal. */
export function fingerprint(content: string | Uint8Array, chars = 64): string {
	// Not `createHash`: what its objects keep outside of the heap is not collected while many are made.
	return hash("sha256", content, "hex").slice(0, chars);
}
