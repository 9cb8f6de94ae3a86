import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expandHome } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";

type Place = Pick<Judge, "cwd" | "home">;

const UNUSUAL_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The path a model means by what it wrote: relative to the working directory, with `~`, as a `file://` address, with
 * the `@` people put before a mentioned file. When nothing is there, names are also tried as macOS writes them.
 * Whether it may be opened is not decided here.
 */
export function resolveSpelling(path: string, place: Place): string {
	const plain = toAbsolute(path, place);
	if (existsSync(plain)) return plain;
	const variants = [
		toAbsolute(path.replace(/^@/, ""), place),
		toAbsolute(path.replace(/^@/, "").replace(UNUSUAL_SPACES, " "), place),
		plain.replace(/ (AM|PM)\./gi, "\u202F$1."),
		plain.normalize("NFD"),
		plain.normalize("NFC"),
		plain.replaceAll("'", "\u2019"),
		plain.normalize("NFD").replaceAll("'", "\u2019"),
	];
	return variants.find((variant) => existsSync(variant)) ?? plain;
}

function toAbsolute(path: string, { cwd, home }: Place): string {
	if (/^file:\/\//i.test(path)) {
		try {
			return fileURLToPath(path);
		} catch {
			// Not an address of a file here; then it is a strange name.
		}
	}
	return resolve(cwd, expandHome(path, home));
}
