// The licenses of the packages whose code is in dist/: each asks to be kept with every copy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** `directories` are those of the packages. */
export function renderLicenses(directories) {
	const notices = [...new Set(directories)]
		.map(readNotice)
		.sort((one, other) => (one.title < other.title ? -1 : 1));
	return [
		"Code of these packages is part of the files in this directory.\n",
		...notices.map(({ title, text }) => `${"=".repeat(80)}\n${title}\n\n${text.trim()}\n`),
	].join("\n");
}

function readNotice(directory) {
	const { name, version, license, author } = JSON.parse(
		readFileSync(join(directory, "package.json"), "utf8"),
	);
	const files = readdirSync(directory).filter((file) => LICENSE_FILE.test(file));
	const texts = files.map((file) => readFileSync(join(directory, file), "utf8"));
	const holder = typeof author === "string" ? author : author?.name;
	return {
		title: `${name} ${version} (${typeof license === "string" ? license : license?.type})`,
		text: texts.join("\n\n") || `Its package has no license file.${holder ? ` Author: ${holder}` : ""}`,
	};
}
