import { describe, expect, it } from "vitest";
import { convertPage } from "../../../../../packages/documents/page/convert-page.ts";
import { createPageConverter } from "../../../../../src/tools/web/pages/create-page-converter.ts";

const URL_OF_PAGE = "https://docs.example/guide/page.html";
const HINT = { pageUrl: URL_OF_PAGE };
const FILLER = `<p>${"A sentence of ordinary prose that makes this look like an article. ".repeat(12)}</p>`;
const page = (body: string, head = "<title>T</title>") =>
	`<!doctype html><html><head>${head}</head><body><main>${FILLER}${body}${FILLER}</main></body></html>`;
const convert = async (body: string, head?: string) => (await convertPage(page(body, head), HINT)).markdown;

describe("code blocks", () => {
	it.each([
		["<pre><code class='language-ts'>const a = 1;</code></pre>", "```ts\nconst a = 1;\n```"],
		[
			"<div class='highlight-python3 notranslate'><div class='highlight'><pre><span></span><span class='n'>is_file</span><span class='p'>(</span>x<span class='p'>)</span>\n</pre></div></div>",
			"```python3\nis_file(x)\n```",
		],
		["<div class='highlight highlight-source-shell'><pre>ls -l</pre></div>", "```shell\nls -l\n```"],
		["<pre class='brush: java'>int a;</pre>", "```java\nint a;\n```"],
		["<pre data-lang='go'>x := 1</pre>", "```go\nx := 1\n```"],
		["<pre>plain\n    indented\n\n\nlines</pre>", "```\nplain\n    indented\n\n\nlines\n```"],
		["<pre>one<br>two<br/>a &lt; b &amp;&amp; c</pre>", "```\none\ntwo\na < b && c\n```"],
		["<pre>has ``` inside</pre>", "````\nhas ``` inside\n````"],
		[
			"<table class='highlighttable'><tr><td class='linenos'><pre>1\n2</pre></td><td class='code'><pre>a\nb</pre></td></tr></table>",
			"```\na\nb\n```",
		],
	])("%s", async (html, expected) => {
		const markdown = await convert(html);
		expect(markdown).toContain(expected);
		expect(markdown).not.toMatch(/^1$/m);
	});
});

describe("tables", () => {
	it.each([
		[
			"a header, bars and links",
			"<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><code>a || b</code></td><td><a href='/x'>x</a></td></tr></tbody></table>",
			"| A | B |\n| --- | --- |\n| `a \\|\\| b` | [x](https://docs.example/x) |",
		],
		[
			"code of one line in a cell",
			"<table><tr><th>A</th><th>B</th></tr><tr><td><pre>f()</pre></td><td>y</td></tr></table>",
			"| `f()` | y |",
		],
		[
			"code of several lines, as blocks",
			"<table><tr><th>Call</th><th>Result</th></tr><tr><td><pre>f(\n  1)</pre></td><td>y</td></tr></table>",
			"Call\n\nResult\n\n```\nf(\n  1)\n```\n\ny",
		],
		[
			"a table inside a layout table",
			"<table><tr><td><p>Menu</p></td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>",
			"Menu\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
		],
	])("with %s", async (_name, html, expected) => {
		expect(await convert(html)).toContain(expected);
	});
});

describe("text", () => {
	it.each([
		[
			"permalinks are dropped",
			"<h2>Title<a class='headerlink' href='#title' title='Permalink'>¶</a></h2>",
			"## Title\n",
		],
		["and those with a number sign", "<h3>Path<span><a href='#path'>#</a></span></h3>", "### Path\n"],
		[
			"names are not escaped",
			"<p>call is_file with max_size and [x]</p>",
			"call is_file with max_size and [x]",
		],
		[
			"relative links become absolute",
			"<p><a href='../a?b=c'>up</a></p>",
			"[up](https://docs.example/a?b=c)",
		],
		["links within the page stay short", "<p><a href='#part'>below</a></p>", "[below](#part)"],
		["scripts in links are not links", "<p><a href='javascript:steal()'>click</a></p>", "click"],
		[
			"a hidden tab panel is content",
			"<div role='tabpanel' hidden><p>On other systems, run the installer.</p></div>",
			"On other systems, run the installer.",
		],
		["inline data is not an image", "<p><img alt='chart' src='data:image/png;base64,AAAA'></p>", "chart"],
		[
			"images keep their address",
			"<p>x <img alt='logo' src='/l.png'></p>",
			"![logo](https://docs.example/l.png)",
		],
		["keyboard and typewriter become code", "<p><kbd>Ctrl</kbd> <tt>ls</tt></p>", "`Ctrl` `ls`"],
		[
			"lists stay narrow",
			"<ul><li>a<ul><li>b</li></ul></li></ul><ol start=3><li>c</li><li>d</li></ol>",
			"- a\n  - b\n\n3. c\n4. d",
		],
		["struck text is marked", "<p><del>old</del></p>", "~~old~~"],
		[
			"formulas keep their source",
			"<p>x <span class='katex'><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math><span aria-hidden='true'>x2</span></span></p>",
			"$x^2$",
		],
		[
			"footnotes in an aside stay",
			"<aside class='footnote'><p>A remark of some importance.</p></aside>",
			"A remark of some importance.",
		],
	])("%s", async (_name, html, expected) => {
		expect(await convert(html)).toContain(expected);
	});

	it("resolves links against the page's base", async () => {
		expect(
			await convert("<p><a href='x'>y</a></p>", "<title>T</title><base href='https://other.example/deep/'>"),
		).toContain("(https://other.example/deep/x)");
	});

	it("takes the title from where there is one", async () => {
		expect(
			(await convertPage(page("", "<meta property='og:title' content='Social'><title>Plain</title>"), HINT))
				.title,
		).toBe("Social");
		expect((await convertPage(page("", "<title> Plain\n title </title>"), HINT)).title).toBe("Plain title");
		expect((await convertPage(page("<h1>Heading ¶</h1>", ""), HINT)).title).toBe("Heading");
	});
});

describe("the guard against lost structure", () => {
	it("keeps a large table that the extractor would drop silently", async () => {
		const rows = Array.from(
			{ length: 120 },
			(_, index) =>
				`<tr><td class="func"><p><code>function_${index}</code></p><p>Does thing number ${index}.</p></td></tr>`,
		).join("");
		const html = `<html><head><title>T</title></head><body><div class="sect1">${FILLER}<div class="table" id="x"><div class="table-contents"><table><thead><tr><th>Function</th></tr></thead><tbody>${rows}</tbody></table></div></div></div></body></html>`;
		const { markdown } = await convertPage(html, HINT);
		for (const index of [0, 60, 119]) expect(markdown).toContain(`function_${index}`);
	});

	it("keeps a page that is mostly a list of links", async () => {
		const links = Array.from(
			{ length: 80 },
			(_, index) => `<li><a href="/m${index}">Module number ${index}</a></li>`,
		).join("");
		const { markdown } = await convertPage(
			`<html><body><main><h1>Index</h1><ul>${links}</ul></main></body></html>`,
			HINT,
		);
		expect(markdown.match(/\]\(https:\/\/docs\.example\/m\d+\)/g)).toHaveLength(80);
	});
});

describe("pages that are made to hurt", { timeout: 120_000 }, () => {
	const never = new AbortController().signal;
	const row = `<tr>${"<td>x</td>".repeat(300)}</tr>`;

	it.each([
		[
			"elements that look as if they closed themselves",
			`${"<div/>".repeat(2000)}deep words`,
			"nested too deeply",
		],
		["nesting", `${"<div>".repeat(60_000)}deep words${"</div>".repeat(60_000)}`, "nested too deeply"],
		["many elements", `${"<p></p>".repeat(300_000)}deep words`, "more than 200000 elements"],
	])("give their text: %s", async (_name, html, reason) => {
		const { markdown, metadata } = await convertPage(html, HINT);
		expect(markdown).toBe("deep words");
		expect(metadata).toMatchObject({ engine: "plain", warning: expect.stringContaining(reason) });
	});

	// Each of these ended the whole host when a thread converted them.
	it.each([
		["paragraphs", "<p>a".repeat(1_310_000)],
		["paragraphs below the limit", "<p>a".repeat(190_000)],
		["list items", "<li>a".repeat(1_000_000)],
		["line breaks", "a<br>".repeat(1_040_000)],
		["attributes", `<p ${Array.from({ length: 500_000 }, (_, index) => `a${index}`).join(" ")}>a`],
	])("leave the host alone: %s", async (_name, html) => {
		const result = await createPageConverter(3000)(html, URL_OF_PAGE, never);
		expect(result.markdown).toContain("a");
	});

	it("give their text when they take too long, while the process is ended", async () => {
		const result = await createPageConverter(400)(
			`<title>Huge</title><table>${row.repeat(600)}</table>`,
			URL_OF_PAGE,
			never,
		);
		expect(result).toMatchObject({ title: "Huge", needsScripts: false });
		expect(result.warning).toBe(
			"The page took too long to convert. This is its text only, without structure.",
		);
	});

	it("say when their text is cut", async () => {
		const result = await createPageConverter()(`<p>${"word ".repeat(500_000)}</p>`, URL_OF_PAGE, never);
		expect(result.markdown.length).toBeLessThanOrEqual(2_000_000);
		expect(result.warning).toContain("longer than the");
	});

	it("are given up when the call is aborted", async () => {
		const controller = new AbortController();
		const work = createPageConverter()(`<table>${row.repeat(600)}</table>`, URL_OF_PAGE, controller.signal);
		controller.abort();
		await expect(work).rejects.toMatchObject({ code: "ABORTED" });
	});

	it.each([
		"",
		"   ",
		"<",
		"<p",
		"<!--",
		"plain words",
		"<html></html>",
		"<table><tr>",
		"<td>orphan</td>",
		"\0\0",
		"<svg><script>x</script></svg>",
	])("do not throw: %j", async (html) => {
		expect(typeof (await convertPage(html, HINT)).markdown).toBe("string");
	});

	it("keep what was asked for apart", async () => {
		const converter = createPageConverter();
		const results = await Promise.all(
			[1, 2, 3].map((number) => converter(page(`<p>number ${number}</p>`), URL_OF_PAGE, never)),
		);
		expect(results.map(({ markdown }) => /number (\d)/.exec(markdown)?.[1])).toEqual(["1", "2", "3"]);
	});
});
