import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a private file as a whole: whoever reads it meanwhile sees the old content or the new one, never a part. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Not by process number: two children in sandboxes of their own can have the same.
	const temporary = `${file}.${randomUUID()}.tmp`;
	try {
		writeFileSync(temporary, content, { mode: 0o600 });
		renameSync(temporary, file);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}
