import { describe, expect, it } from "vitest";
import { parsePlainPage } from "../../markup/parse-plain-page.ts";

const textOf = (html: string): string => parsePlainPage(html).text;

describe("parsePlainPage", () => {
	it.each([
		["any named entity", "<p>caf&eacute; &rarr; &#x4e2d;&#25991;&nbsp;&amp;amp;</p>", "café → 中文 &amp;"],
		["a letter that grows when it is lowered", "İİİİ<script>secret()</script>after", "İİİİ\nafter"],
		[">  in an attribute", '<p title="a > b">text</p>', "text"],
		["a comparison", "<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"],
		["nothing of a script's end tag", "<script>x()</script >a<style>b{}</STYLE\n>c", "a\nc"],
		["text beside comments", "a<!-- <p>no</p> -->b<!---->c", "abc"],
		["lines where blocks end", "<h1>A</h1><p>b<br>c</p><ul><li>d<li>e</ul>", "A\n\nb\nc\n\nd\ne"],
		["a heading whose head element never ends", "<head><title>t</title><p>text", "text"],
		["no script code with a tag in a string", '<script>if (a < b) x = "</p>"</script>ok', "ok"],
		["no hidden template", "a<template><p>b<template>c</template>d</template>e", "a\ne"],
	])("keeps %s", (_name, html, text) => {
		expect(textOf(html)).toBe(text);
	});

	it("does not lose the rest of a page after an element that never ends", () => {
		expect(textOf("a<noscript>b<p>c")).toBe("a\nbc");
		expect(textOf("a<script>b")).toBe("a");
	});

	it("reads the title, decoded and on one line", () => {
		expect(parsePlainPage("<title>\n A &amp; B\n</title><p>x</p><title>other</title>")).toEqual({
			title: "A & B",
			text: "x",
		});
	});

	it.each([
		["nested elements", "<div>".repeat(300_000)],
		["one tag that never ends", `<a ${"b ".repeat(1_000_000)}`],
		["lone brackets", "<".repeat(1_000_000)],
		["entities", "&amp".repeat(300_000)],
		["comments that never end", "<!--".repeat(300_000)],
	])("takes linear time for %s", (_name, html) => {
		const startedAt = performance.now();
		parsePlainPage(html);
		expect(performance.now() - startedAt).toBeLessThan(5000);
	});
});
