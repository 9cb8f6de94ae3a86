// Which sources the table may be trained on: permissive licenses only, read from each package itself.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PERMISSIVE =
	/^(?:MIT(?:-0)?|Expat|ISC|0BSD|BSD(?:-[23](?:-[Cc]lauses?)?)?|Apache(?:-2(?:\.0)?)?|Zlib|Unlicense|CC0(?:-1\.0)?|public-domain|PSF(?:-2(?:\.0)?)?|Python-2\.0|BlueOak-1\.0\.0|BSL-1\.0|WTFPL)$/i;

/** One name, or names joined by "or"/"and": every name must be permissive, so that nobody has to choose for us. */
export function isPermissive(expression) {
	const names = expression
		.replace(/[()]/g, " ")
		.split(/\s+(?:and\/or|or|and|with)\s+|[\s,/|]+/i)
		.filter(Boolean);
	return names.length > 0 && names.every((name) => PERMISSIVE.test(name));
}

export function licenseOfNpmPackage(directory) {
	try {
		const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
		const license = typeof manifest.license === "string" ? manifest.license : manifest.license?.type;
		return { name: manifest.name, version: manifest.version, license: String(license ?? "") };
	} catch {
		return undefined;
	}
}

/** Debian's machine-readable copyright file: the license of every stanza that is not about the packaging. */
export function licenseOfDebianPackage(directory, name) {
	const path = join(directory, "usr/share/doc", name, "copyright");
	if (!existsSync(path)) return undefined;
	const text = readFileSync(path, "utf8");
	if (!/^Format:.*copyright-format/m.test(text)) return undefined;
	const licenses = text
		.split(/\n\s*\n/)
		.filter((stanza) => /^Files:/m.test(stanza) && !/^Files:\s*debian\/\*\s*$/m.test(stanza))
		.map((stanza) => /^License:[ \t]*(.*)$/m.exec(stanza)?.[1]?.trim() ?? "");
	return [...new Set(licenses)].join(" and ");
}
