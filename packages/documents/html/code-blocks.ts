import type TurndownService from "turndown";
import { asHtmlNode, attribute, childrenOf, type HtmlNode } from "./html-node.ts";
import { isInDataCell, type LayoutCheck } from "./table-rules.ts";

const LANGUAGE_CLASS =
	/(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush:?|sourceCode)[-\s]+([\w+#.-]+)/;
/** Words in the place of a language name that are none. */
const NOT_A_LANGUAGE = new Set([
	"default",
	"none",
	"notranslate",
	"plain",
	"text",
	"plaintext",
	"numberSource",
]);
const MAX_ANCESTORS_WITH_LANGUAGE = 3;

function codeLanguageOf(pre: HtmlNode): string {
	const code = childrenOf(pre).find((child) => child.nodeName === "CODE");
	let node: HtmlNode | null = pre;
	const candidates = code ? [code] : [];
	for (let step = 0; node && step < MAX_ANCESTORS_WITH_LANGUAGE; step += 1, node = node.parentNode)
		candidates.push(node);
	for (const candidate of candidates) {
		const language =
			LANGUAGE_CLASS.exec(attribute(candidate, "class"))?.[1] ?? attribute(candidate, "data-lang");
		if (language && !NOT_A_LANGUAGE.has(language)) return language;
	}
	return "";
}

/** `<br>` inside a block of code is a line break; textContent alone would join the lines. */
function codeText(node: HtmlNode): string {
	if (node.nodeType === 3) return node.nodeValue ?? "";
	if (node.nodeName === "BR") return "\n";
	return childrenOf(node).map(codeText).join("");
}

function longestRun(text: string): number {
	return text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), 0) ?? 0;
}

/** A fence longer than any run of backticks inside, so that the content cannot close it. */
export function renderFence(code: string, language: string): string {
	const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
	return `${fence}${language}\n${code.replace(/\n+$/, "")}\n${fence}`;
}

function renderCodeSpan(code: string): string {
	const text = code.replace(/\r?\n|\r/g, " ");
	if (text.trim() === "") return "";
	const fence = "`".repeat(longestRun(text) + 1);
	const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
	return `${fence}${pad}${text}${pad}${fence}`;
}

/**
 * Any `<pre>` is a block of code. Turndown's own rule asks for `<pre><code>`, while Sphinx and others write
 * `<pre><span>`, whose code would arrive escaped and on one line.
 */
export function addCodeRules(service: TurndownService, isLayout: LayoutCheck): void {
	service.addRule("fencedCode", {
		filter: "pre",
		replacement: (_content, element) => {
			const pre = asHtmlNode(element);
			const code = codeText(pre).replace(/\r\n?/g, "\n").replace(/^\n/, "");
			if (code.trim() === "") return "";
			if (isInDataCell(pre, isLayout))
				return `\n${code.split("\n").filter(Boolean).map(renderCodeSpan).join("\n")}\n`;
			return `\n\n${renderFence(code, codeLanguageOf(pre))}\n\n`;
		},
	});
	service.addRule("codeSpan", {
		filter: (node) =>
			["CODE", "TT", "KBD", "SAMP"].includes(node.nodeName) && node.parentNode?.nodeName !== "PRE",
		replacement: (_content, element) => renderCodeSpan(asHtmlNode(element).textContent ?? ""),
	});
}
