import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { SIDEBAR } from "./sidebar.mts";
import { toSiteLink } from "./site-links.mts";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
	version: string;
	description: string;
	repository?: { url: string };
};
const repository = manifest.repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");

const ICON =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0969da"/><path d="M4 8h6m-3-3 3 3-3 3" stroke="#fff" stroke-width="2" fill="none"/></svg>';

/** Comments, and the few tags that pages use. `<name>` in a sentence is a name. */
const KNOWN_MARKUP = /^\s*<(?:!--|\/?(?:a|br|details|img|p|picture|source|sub|summary|sup)\b)/;

export default defineConfig({
	title: "deputize",
	description: manifest.description,
	lang: "en-US",
	cleanUrls: false,
	// The site is served from a folder, a registry's mirror or a disk: nothing may be loaded from elsewhere.
	base: process.env["DEPUTIZE_DOCS_BASE"] ?? "/",
	srcExclude: ["images/**", "node_modules/**", "README.md"],
	metaChunk: true,
	head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
	markdown: {
		theme: { light: "github-light-high-contrast", dark: "github-dark" },
		// As GitHub makes them, so that a link works in both places.
		anchor: {
			slugify: (title) =>
				title
					.toLowerCase()
					.replace(/[^\p{L}\p{N}\s_-]/gu, "")
					.trim()
					.replace(/\s/g, "-"),
		},
		config(md) {
			// Pages are Markdown, not templates: what looks like one is text.
			md.core.ruler.push("no-templates", ({ tokens }) => {
				for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
					const isMarkup = token.type === "html_inline" || token.type === "html_block";
					if (isMarkup && !KNOWN_MARKUP.test(token.content)) token.type = "text";
					if (token.type === "code_inline") token.attrSet("v-pre", "");
					if (token.type !== "text" || !token.content.includes("{{")) continue;
					token.type = "html_inline";
					token.content = md.utils.escapeHtml(token.content).replaceAll("{{", "&#123;&#123;");
				}
			});
			md.core.ruler.push("links-out-of-docs", ({ tokens, env }) => {
				let leadsNowhere = false;
				for (const token of tokens.flatMap(({ children }) => children ?? [])) {
					if (token.type === "link_close" && leadsNowhere) token.tag = "span";
					if (token.type !== "link_open" || typeof env.path !== "string") continue;
					const target = toSiteLink(token.attrGet("href") ?? "", env.path, repository);
					leadsNowhere = target === undefined;
					if (target !== undefined) token.attrSet("href", target);
					else Object.assign(token, { type: "span_open", tag: "span", attrs: null });
				}
			});
		},
	},
	// Pictures that a page links to; those it shows are bundled.
	buildEnd: ({ outDir }) =>
		cpSync(join(import.meta.dirname, "../images"), join(outDir, "images"), {
			recursive: true,
			filter: (file) => !file.endsWith(".ts"),
		}),
	vite: { build: { chunkSizeWarningLimit: 2000 } },
	themeConfig: {
		search: { provider: "local" },
		outline: [2, 3],
		nav: [
			{ text: "Tutorial", link: "/tutorial" },
			{ text: "Recipes", link: "/recipes" },
			{ text: "Reference", link: "/command-line" },
			{ text: manifest.version, link: "/changelog" },
		],
		sidebar: SIDEBAR,
		socialLinks: repository === undefined ? [] : [{ icon: "github", link: repository }],
		footer: {
			message: "MIT license. Built from the repository; nothing on these pages is loaded from elsewhere.",
		},
	},
});
