import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { parsePathList, parseReadText } from "./parse-tool-text.ts";
import { ANY_FILE_GLOB } from "./plan-overview.ts";
import { quotePlace } from "./quote-line.ts";

const MAX_PARAGRAPHS = 3;
const MAX_HEADINGS = 12;
const MAX_ENTRIES = 40;
const MAX_MANIFEST_ROWS = 12;
const FRONT_PAGE = /\.(md|rst|txt|adoc)$|^readme/i;
const TELLING_FIELD =
	/^\s*"?(name|version|description|type|main|module|bin|exports|license|scripts|start|test|build|requires-python|edition|go|workspaces)"?\s*[:= ]/;

/** What the front page, the manifest and the folders say; nothing is interpreted. */
export function renderOverview(steps: readonly NavigatorToolStep[]): string | undefined {
	const reads = steps.filter(({ tool, isError }) => tool === "read" && !isError).map(parseReadText);
	const sections = [
		...reads.filter(({ path }) => FRONT_PAGE.test(path)).map(renderFrontPage),
		...reads.filter(({ path }) => !FRONT_PAGE.test(path)).map(renderManifest),
		...steps.filter(({ tool, isError }) => tool === "ls" && !isError).map(renderFolder),
		renderSizes(steps),
	].filter((section) => section !== "");
	if (sections.length === 0) return undefined;
	const notJudged =
		"**Not judged:** how the parts work together. Ask about one behavior, name or phrase to be led to its code.";
	return [...sections, notJudged].join("\n\n");
}

type Read = ReturnType<typeof parseReadText>;

function renderFrontPage({ path, lines }: Read): string {
	const prose: string[] = [];
	const headings: string[] = [];
	let fenced = false;
	for (const { line, text } of lines) {
		if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
		else if (!fenced && /^#{1,3}\s/.test(text)) headings.push(text.replace(/^#+\s*/, ""));
		else if (!fenced && prose.length < MAX_PARAGRAPHS && /^[A-Z*_`][^|<]{30,}/i.test(text)) {
			prose.push(`- ${quotePlace({ path, line, text })}`);
		}
	}
	if (prose.length === 0 && headings.length === 0) return "";
	const titles = headings.slice(0, MAX_HEADINGS).map((text) => text.slice(0, 60).toWellFormed());
	const contents = titles.length === 0 ? [] : [`- sections: ${titles.join(" · ")}`];
	return [`**${path}**`, ...prose, ...contents].join("\n");
}

function renderManifest({ path, lines }: Read): string {
	const first = new Map<string, (typeof lines)[number]>();
	for (const line of lines) {
		const field = TELLING_FIELD.exec(line.text)?.[1];
		if (field !== undefined && !first.has(field)) first.set(field, line);
	}
	const rows = [...first.values()].slice(0, MAX_MANIFEST_ROWS);
	if (rows.length === 0) return "";
	return [`**${path}**`, ...rows.map((row) => `- ${quotePlace({ path, ...row })}`)].join("\n");
}

function renderFolder(step: NavigatorToolStep): string {
	const { files, directories } = parsePathList(step);
	const entries = [...directories.map((path) => `${path}/`), ...files];
	if (entries.length === 0) return "";
	const folder = /^(.*)\//.exec(entries[0]?.replace(/\/$/, "") ?? "")?.[1];
	const where = folder === undefined ? "the top" : `\`${folder}/\``;
	const more = entries.length > MAX_ENTRIES ? ` and ${entries.length - MAX_ENTRIES} more` : "";
	return `**At ${where}:** ${entries.slice(0, MAX_ENTRIES).join(" ")}${more}`;
}

function renderSizes(steps: readonly NavigatorToolStep[]): string {
	const listing = steps.find(({ tool, args }) => tool === "find" && args["pattern"] === ANY_FILE_GLOB);
	if (listing === undefined) return "";
	const { files, cut } = parsePathList(listing);
	if (files.length === 0) return "";
	const counts = new Map<string, number>();
	for (const path of files) {
		const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? "no extension";
		counts.set(extension, (counts.get(extension) ?? 0) + 1);
	}
	const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 6);
	return `**Files:** ${cut ? "more than " : ""}${files.length}: ${most.map(([extension, count]) => `${extension} ${count}`).join(", ")}`;
}
