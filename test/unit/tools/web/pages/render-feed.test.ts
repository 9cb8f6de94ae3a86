import { describe, expect, it } from "vitest";
import { renderFeed } from "../../../../../src/tools/web/pages/render-feed.ts";

const ATOM = "http://www.w3.org/2005/Atom";

describe("renderFeed", () => {
	it("reads RSS: escaped HTML, CDATA and its own link", () => {
		const feed = renderFeed(`<?xml version="1.0"?><rss version="2.0" xmlns:atom="${ATOM}"
			xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel>
			<title>News &amp; more</title><atom:link rel="self" href="https://e.org/feed"/><description>All of it</description>
			<item><media:title>wrong</media:title><title>One</title><link>https://e.org/1?a=1&amp;b=2</link>
				<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><description>short</description>
				<content:encoded><![CDATA[<p>caf&eacute; <b>bold</b></p><script>x()</script><p>1 &lt; 2</p>]]></content:encoded></item>
			<item><title>Two</title><description>&lt;p&gt;escaped &amp;amp; decoded&lt;/p&gt;</description></item>
			</channel></rss>`);
		expect(feed).toEqual({
			title: "News & more",
			markdown:
				"# News & more\n\nAll of it\n\n## [One](https://e.org/1?a=1&b=2)\n\nMon, 01 Jan 2024 00:00:00 GMT\n\ncafé bold\n\n1 < 2\n\n## Two\n\nescaped & decoded",
		});
	});

	it.each([
		["without a prefix", "", `xmlns="${ATOM}"`],
		["with a prefix", "atom:", `xmlns:atom="${ATOM}"`],
		["with any other prefix", "a:", `xmlns:a="${ATOM}"`],
	])("reads Atom %s", (_name, p, namespace) => {
		const feed = renderFeed(
			`<${p}feed ${namespace}><${p}title>Feed</${p}title><${p}entry><${p}title>Using &lt;script> tags</${p}title>
			<${p}link rel="enclosure" href="https://e.org/a.mp3"/><${p}link href="https://e.org/1"/><${p}updated>2024-01-01</${p}updated>
			<${p}content type="html">&lt;p&gt;Hi &amp;eacute;&lt;/p&gt;</${p}content></${p}entry></${p}feed>`,
		);
		expect(feed?.markdown).toBe("# Feed\n\n## [Using <script> tags](https://e.org/1)\n\n2024-01-01\n\nHi é");
	});

	it("reads Atom whose content is XHTML", () => {
		const feed = renderFeed(
			`<feed xmlns="${ATOM}"><title>F</title><entry><title>T</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &lt; b</p><p>c<br/>d</p></div></content></entry></feed>`,
		);
		expect(feed?.markdown).toBe("# F\n\n## T\n\na < b\n\nc\nd");
	});

	it("reads RDF, whose entries are beside the channel", () => {
		const feed = renderFeed(
			`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>C</title></channel><item><title>I</title><link>https://e.org/</link><dc:date>2024</dc:date></item></rdf:RDF>`,
		);
		expect(feed?.markdown).toBe("# C\n\n## [I](https://e.org/)\n\n2024");
	});

	it("shows a bounded number of entries and says so", () => {
		const feed = renderFeed(`<rss><channel><title>T</title>${"<item><title>x</title></item>".repeat(300)}`);
		expect(feed?.markdown.match(/^## x$/gm)).toHaveLength(200);
		expect(feed?.markdown).toContain("(Only the first 200 entries are shown.)");
	});

	it("gives nothing for something else", () => {
		expect(renderFeed("<opml><body/></opml>")).toBeUndefined();
		expect(renderFeed("")).toBeUndefined();
	});
});
