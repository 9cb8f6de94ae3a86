import { describe, expect, it } from "vitest";
import { toStoredDocument } from "../../../../../src/tools/web/store/stored-response.ts";
import { renderDocuments } from "../../../../../src/tools/web/tools/render-documents.ts";

const select = (...texts: readonly string[]) =>
	texts.map((text, index) => ({
		index,
		document: toStoredDocument({ url: `https://e.org/${index}`, title: `${index}`, text }),
		text,
	}));
const show = (texts: readonly string[], range: object) =>
	renderDocuments(select(...texts), { maxChars: 100, responseId: "fetch-0123456789ab", ...range });

describe("renderDocuments", () => {
	it("leaves to long texts what short ones do not need", () => {
		const [short, long] = show(["abc", "x".repeat(200)], { maxChars: 60 });
		expect(short?.details).toMatchObject({ chars: 3, truncated: false });
		expect(long?.details).toMatchObject({ chars: 200, nextOffset: 57, truncated: true });
		expect(long?.text).toContain(
			'get_search_content {"responseId":"fetch-0123456789ab","urlIndex":1,"offset":57}',
		);
	});

	it("shows each from the offset, and no more than the limit", () => {
		const [first, second] = show(["0123456789", "0123"], { offset: 3, limit: 5 });
		expect(first?.details).toMatchObject({ offset: 3, nextOffset: 8 });
		expect(second?.details).toMatchObject({ offset: 3, chars: 4, truncated: false });
	});

	it("hands those without text to the caller, but tells failures itself", () => {
		const [empty, text] = select("", "text");
		const failed = {
			index: 2,
			document: toStoredDocument({ url: "u", title: "", error: { code: "C", message: "m" } }),
			text: "",
		};
		const rendered = renderDocuments(
			[empty, text, failed].filter((document) => document !== undefined),
			{ maxChars: 10, responseId: "" },
			({ index }) => ({ text: `empty ${index}`, details: {} }),
		);
		expect(rendered.map((document) => document.text.split("\n")[0])).toEqual([
			"empty 0",
			"[1] https://e.org/1",
			"[2] u",
		]);
		expect(rendered[2]?.text).toContain("failed: C: m");
	});
});

describe("toStoredDocument", () => {
	it("says that a text is cut when it or its source is longer than what is stored", () => {
		const facts = { url: "u", title: "t" };
		expect(toStoredDocument({ ...facts, text: "12345" }, 3)).toEqual({ ...facts, chars: 3, truncated: true });
		expect(toStoredDocument({ ...facts, text: "123" }, 3)).toMatchObject({ chars: 3, truncated: false });
		expect(toStoredDocument({ ...facts, text: "1", truncated: true }, 3)).toMatchObject({ truncated: true });
		expect(toStoredDocument(facts)).toEqual({ ...facts, chars: 0, truncated: false });
	});
});
