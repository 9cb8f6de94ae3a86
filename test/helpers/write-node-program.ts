import { writeFileSync } from "node:fs";

/** A program that runs the script with this Node. A line with `#!` alone cannot name a Node whose path has a blank. */
export function writeNodeProgram(file: string, script: string): string {
	writeFileSync(`${file}.cjs`, script);
	writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${file}.cjs' "$@"\n`, { mode: 0o700 });
	return file;
}
