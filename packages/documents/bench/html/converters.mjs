import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import kreuzberg from "@kreuzberg/html-to-markdown-node";
import { htmlToMarkdown } from "mdream";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { convertPage } from "../../page/convert-page.ts";

const require = createRequire(new URL("../../../../package.json", import.meta.url));
const { parseHTML } = require("linkedom");
const { Readability } = require("@mozilla/readability");
const TurndownService = require("turndown");
const { gfm } = require("@joplin/turndown-plugin-gfm");
const nodeHtmlMarkdown = new NodeHtmlMarkdown();

/** The chain that most tools for agents use: the same libraries as ours, as they come. */
function convertWithStockChain(html) {
	const article = new Readability(parseHTML(html).document).parse();
	const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
	service.use(gfm);
	return service.turndown(article?.content ?? html);
}

async function convertWithDefuddle(html, url) {
	const { Defuddle } = await import(
		new URL("../../../../node_modules/defuddle/dist/node.js", import.meta.url).href
	);
	const found = await Defuddle(parseHTML(html).document, url, { markdown: true, useAsync: false });
	return found.content;
}

export const CONVERTERS = [
	{ name: "deputize", convert: async (html, url) => (await convertPage(html, { pageUrl: url })).markdown },
	{
		name: "Readability + turndown + gfm, as they come",
		convert: async (html) => convertWithStockChain(html),
	},
	{ name: "defuddle 0.19.4", convert: convertWithDefuddle },
	{ name: "node-html-markdown 2.0.0", convert: async (html) => nodeHtmlMarkdown.translate(html) },
	{
		name: "mdream 1.7.2 (native)",
		convert: async (html, url) => htmlToMarkdown(html, { origin: new URL(url).origin }),
	},
	{
		name: "@kreuzberg/html-to-markdown-node 3.7.2 (native)",
		convert: async (html) => kreuzberg.convert(html).content,
	},
	...listPandoc(),
];

/** Measured apart from the others: a process per page, whose time is not in this process's account. */
function listPandoc() {
	if (!process.argv.includes("--pandoc")) return [];
	const run = (html) =>
		execFileSync("pandoc", ["-f", "html", "-t", "gfm", "--wrap=none"], {
			input: html,
			encoding: "utf8",
			maxBuffer: 1 << 28,
		});
	return [{ name: "pandoc (its CPU is not counted)", convert: async (html) => run(html) }];
}
