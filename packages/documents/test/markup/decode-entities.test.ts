import { expect, it } from "vitest";
import { decodeEntities } from "../../markup/decode-entities.ts";

it.each([
	["no entity", "no entity"],
	["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
	["caf&eacute; &hellip; &#233; &#xE9;", "café … é é"],
	["<b>x &amp; y</b> & z", "<b>x & y</b> & z"],
	["AT&T &unknown; &#99999999;", "AT&T &unknown; \ufffd"],
])("decodes %j", (text, decoded) => {
	expect(decodeEntities(text)).toBe(decoded);
});
