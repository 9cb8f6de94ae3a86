import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Content, mode, owner and modification time of everything below a directory. */
export function fingerprintTree(directory: string): Record<string, string> {
	const seen: Record<string, string> = {};
	for (const name of readdirSync(directory, { recursive: true }) as string[]) {
		const path = join(directory, name);
		const status = lstatSync(path);
		const content = status.isFile()
			? createHash("sha256").update(readFileSync(path)).digest("hex")
			: status.isSymbolicLink()
				? readlinkSync(path)
				: "";
		seen[name] = `${status.mode.toString(8)} ${status.uid} ${status.mtimeMs} ${content}`;
	}
	return seen;
}
