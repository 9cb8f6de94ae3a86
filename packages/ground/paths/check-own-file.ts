import type { Stats } from "node:fs";
import { describeKind } from "./describe-kind.ts";
import { RefusedPathError } from "./refused-path-error.ts";

/** Only a regular file of this user, with one name, is written to or replaced: anything else may be somebody else's. */
export function checkOwnFile(path: string, entry: Stats): void {
	const refuse = (reason: string): never => {
		throw new RefusedPathError(
			`${path} ${reason}. Nothing was written. Choose another file, or remove this one.`,
		);
	};
	if (!entry.isFile()) refuse(`is ${describeKind(entry)}, not a regular file`);
	const me = process.getuid?.() ?? entry.uid;
	if (entry.uid !== me) refuse(`belongs to user ${entry.uid}, and you are ${me}`);
	if (entry.nlink > 1) refuse(`has ${entry.nlink} names (hard links), and the others would change with it`);
}
