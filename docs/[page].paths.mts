import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY_PAGES, ROOT, toSiteLink } from "./.vitepress/site-links.mts";

/** Pages that are made from something else: files at the root of the repository, and the help of every command as it is printed. */
export default {
	watch: ["../*.md"],
	paths: () => [
		...Object.entries(REPOSITORY_PAGES).map(([file, page]) => ({
			params: { page },
			content: readPage(file),
		})),
		{ params: { page: "command-line" }, content: renderCommands() },
	],
};

function readPage(file: string): string {
	const path = join(ROOT, file);
	return readFileSync(path, "utf8").replace(/\]\(([^)\s]+)\)/g, (link, href: string) => {
		const target = toSiteLink(href, path, undefined);
		return target === undefined ? link : `](${target})`;
	});
}

function renderCommands(): string {
	const overview = showHelp();
	const list = /^Commands\n((?:.+\n)+)/m.exec(overview)?.[1] ?? "";
	const commands = [...list.matchAll(/^ {2}([a-z]+)(.*?) {2,}(\S.*)$/gm)].map(
		([, name = "", usage = "", summary = ""]) => ({ name, usage, summary }),
	);
	if (commands.length === 0) throw new Error("deputize --help lists no commands");
	const rows = commands.map(
		({ name, usage, summary }) =>
			`| [\`deputize ${name}${usage.replaceAll("|", "\\|")}\`](#${name}) | ${summary} |`,
	);
	const sections = commands.map(({ name }) => `## ${name}\n\n\`\`\`text\n${showHelp(name)}\n\`\`\`\n`);
	const notes = overview.slice(overview.indexOf(list) + list.length).trim();
	return `# Commands\n\n| | |\n|---|---|\n${rows.join("\n")}\n\n${notes}\n\n${sections.join("\n")}`;
}

function showHelp(...command: string[]): string {
	return execFileSync(process.execPath, [join(ROOT, "dist", "cli.js"), ...command, "--help"], {
		encoding: "utf8",
		env: { PATH: process.env["PATH"], NO_COLOR: "1" },
	}).trimEnd();
}
