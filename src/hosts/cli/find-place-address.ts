import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const PLACE = /^([^\s:*?"<>|]+?)(?::(\d+)(?:-\d+)?)?$/;

/** For a terminal that opens links: the file of a place such as `src/main.ts:12`, when it is there. */
export function findPlaceAddress(place: string, cwd: string): string | undefined {
	const [, path, line] = PLACE.exec(place) ?? [];
	if (path === undefined || !/[./]/.test(path)) return undefined;
	const file = resolve(cwd, path);
	if (!existsSync(file)) return undefined;
	const address = pathToFileURL(file);
	// Without the host some terminals take the file for one on the machine they run on, not on the one they show.
	address.hostname = hostname();
	return line === undefined ? address.href : `${address.href}#L${line}`;
}
