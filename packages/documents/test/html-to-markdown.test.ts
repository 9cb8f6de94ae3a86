import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../html-to-markdown.ts";

const CASES: readonly (readonly [string, string, string])[] = [
	["headings", "<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"],
	["emphasis", "<p><b>bold</b> <i>italic</i> <s>gone</s></p>", "**bold** *italic* ~~gone~~"],
	[
		"names with underscores as they are",
		"<p>call is_file or __init__ now</p>",
		"call is_file or __init__ now",
	],
	["stars that would start emphasis, escaped", "<p>2 * 3 but *this*</p>", "2 * 3 but \\*this*"],
	[
		"text that would be a list or a heading, escaped",
		"<p>1. no</p><p># no</p><p>- no</p>",
		"1\\. no\n\n\\# no\n\n\\- no",
	],
	["nested lists", "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>", "- a\n  1. b\n  2. c\n- d"],
	["the start of a numbered list", '<ol start="7"><li>a</li><li>b</li></ol>', "7. a\n8. b"],
	["paragraphs inside an item", "<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"],
	[
		"check boxes",
		'<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
		"- [x] done\n- [ ] open",
	],
	["quotations", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"],
	["line breaks", "<p>a<br>b</p>", "a\\\nb"],
	["code in a sentence", "<p>use <code>a`b</code> or <kbd>x</kbd></p>", "use ``a`b`` or `x`"],
	["code without a code element", "<pre><span>x</span> = *1*\n  y_z</pre>", "```\nx = *1*\n  y_z\n```"],
	["the language of code, on it", '<pre><code class="language-ts">a</code></pre>', "```ts\na\n```"],
	[
		"the language of code, around it",
		'<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>',
		"```python3\na\n```",
	],
	["code that holds a fence", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
	["blank lines and blanks at line ends in code", "<pre>a  \n\n\n\nb</pre>", "```\na  \n\n\n\nb\n```"],
	["breaks inside code", "<pre>a<br>b</pre>", "```\na\nb\n```"],
	[
		"code beside its line numbers",
		'<table><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>',
		"```\na\nb\n```",
	],
	["links", '<p><a href="https://e.org/x">t</a></p>', "[t](https://e.org/x)"],
	["links over blocks", '<a href="https://e.org"><h2>t</h2><p>u</p></a>', "[## t u](https://e.org)"],
	["links in the page as text", '<p><a href="#x">t</a></p>', "t"],
	["links that run code as text", '<p><a href="javascript:alert(1)">t</a></p>', "t"],
	["brackets in addresses", '<p><a href="https://e.org/a_(b)">t</a></p>', "[t](https://e.org/a_%28b%29)"],
	["permalinks, dropped", '<h2>Title<a class="headerlink" href="#title">¶</a></h2>', "## Title"],
	["pictures", '<img alt="a b" src="https://e.org/x.png">', "![a b](https://e.org/x.png)"],
	[
		"pictures inside the page, by their words only",
		'<img alt="a" src="data:image/png;base64,AAAA"><img src="data:x">',
		"![a]()",
	],
	[
		"formulas",
		'<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
		"$x^2$",
	],
	[
		"nothing hidden",
		'<p>a</p><p hidden>b</p><p style="color:red; display: none">c</p><p aria-hidden="true">d</p><script>e</script><style>f</style><title>g</title>',
		"a",
	],
	[
		"a title, a head and comments, dropped",
		"<html><head><title>t</title></head><body><!-- c --><p>a</p></body></html>",
		"a",
	],
];

const TABLES: readonly (readonly [string, string, string])[] = [
	[
		"a head",
		"<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
		"| a | b |\n| --- | --- |\n| 1 | 2 |",
	],
	[
		"no head: the first row",
		"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>",
		"| a | b |\n| --- | --- |\n| 1 | 2 |",
	],
	[
		"a caption",
		"<table><caption>Cap</caption><tr><td>a</td><td>b</td></tr></table>",
		"Cap\n\n| a | b |\n| --- | --- |",
	],
	[
		"spans",
		'<table><tr><th colspan="2">ab</th><th>c</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>',
		"| ab |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
	],
	[
		"a span without end",
		'<table><tr><td colspan="999999999">a</td><td>b</td></tr></table>',
		`| a |${"  |".repeat(99)} b |\n|${" --- |".repeat(101)}`,
	],
	[
		"pipes",
		"<table><tr><td>a|b</td><td><code>c|d</code></td></tr></table>",
		"| a\\|b | `c\\|d` |\n| --- | --- |",
	],
	[
		"blocks in a cell",
		"<table><tr><td><p>a</p><ul><li>b</li><li>c</li></ul></td><td><pre>d\ne</pre></td></tr></table>",
		"| a<br>- b<br>- c | `d`<br>`e` |\n| --- | --- |",
	],
	["empty cells", "<table><tr><td></td><td>b</td></tr></table>", "|  | b |\n| --- | --- |"],
	[
		"a table that only places things",
		"<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>",
		"| a | b |\n| --- | --- |\n\nc",
	],
	["one cell", "<table><tr><td>alone</td></tr></table>", "alone"],
	[
		"rows of unequal length",
		"<table><tr><td>a</td></tr><tr><td>1</td><td>2</td></tr></table>",
		"| a |  |\n| --- | --- |\n| 1 | 2 |",
	],
];

describe("htmlToMarkdown", () => {
	it.each(CASES)("keeps %s", (_name, html, markdown) => {
		expect(htmlToMarkdown(html)).toBe(markdown);
	});

	it.each(TABLES)("renders a table with %s", (_name, html, markdown) => {
		expect(htmlToMarkdown(html)).toBe(markdown);
	});

	it("resolves addresses against the page they stand on", () => {
		const html = '<a href="../b?c=1">t</a><img alt="i" src="d e.png">';
		expect(htmlToMarkdown(html, { baseUrl: "https://e.org/x/y/" })).toBe(
			"[t](https://e.org/x/b?c=1)![i](https://e.org/x/y/d%20e.png)",
		);
	});

	it("cannot be fooled by the marks it uses inside", () => {
		const html = "<table><tr><td>a\uFDD0\uFDD1\uFDD2b</td><td>c</td></tr></table>";
		expect(htmlToMarkdown(html)).toBe("| ab | c |\n| --- | --- |");
	});

	it("lets a caller's rule win", () => {
		const markdown = htmlToMarkdown("<p>a <mark>b</mark></p>", {
			addRules: (service) =>
				service.addRule("mark", {
					filter: (node) => node.nodeName === "MARK",
					replacement: (text) => `==${text}==`,
				}),
		});
		expect(markdown).toBe("a ==b==");
	});
});
