import { describe, expect, it } from "vitest";
import { readMail } from "../../mail/read-mail.ts";

const read = (...lines: readonly string[]) => readMail(Buffer.from(lines.join("\r\n"), "latin1"));

describe("readMail", () => {
	it("decodes encoded words in headers, also when they were split", async () => {
		const { title, markdown } = await read(
			"Subject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= =?utf-8?B?IGRlciBLcsOkbmU=?=",
			"From: =?iso-8859-1?Q?M=FCller?= <m@example.org>",
			"",
			"x",
		);
		expect(title).toBe("Größe der Kräne");
		expect(markdown).toContain("- From: Müller <m@example.org>");
	});

	it.each([
		["quoted-printable", "Gr=C3=B6=\r\n=C3=9Fe", "utf-8", "Größe"],
		["base64", Buffer.from("Größe").toString("base64"), "utf-8", "Größe"],
		["8bit", Buffer.from("Größe", "latin1").toString("latin1"), "iso-8859-1", "Größe"],
	])("decodes a %s body", async (encoding, body, charset, text) => {
		const { markdown } = await read(
			"Subject: s",
			`Content-Type: text/plain; charset="${charset}"`,
			`Content-Transfer-Encoding: ${encoding}`,
			"",
			body,
		);
		expect(markdown).toBe(`# s\n\n${text}`);
	});

	it("prefers HTML, whose links the plain text lost", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: multipart/alternative; boundary=b",
			"",
			"--b",
			"Content-Type: text/plain",
			"",
			"plain",
			"--b",
			"Content-Type: text/html",
			"",
			'<p>rich <a href="https://e.org/">link</a></p>',
			"--b--",
		);
		expect(markdown).toBe("# s\n\nrich [link](https://e.org/)");
	});

	it("lists attachments by their names and does not open them", async () => {
		const { markdown, metadata } = await read(
			"Subject: s",
			'Content-Type: multipart/mixed; boundary="b"',
			"",
			"--b",
			"",
			"text",
			"--b",
			"Content-Type: application/pdf",
			"Content-Disposition: attachment; filename*=UTF-8''ma%C3%9Fe.pdf",
			"Content-Transfer-Encoding: base64",
			"",
			"AAAA",
			"--b--",
		);
		expect(markdown).toBe("# s\n\ntext\n\n## Attachments\n\n- maße.pdf (application/pdf, 3 bytes)");
		expect(metadata["attachments"]).toBe(1);
	});

	it("shows a forwarded message under its own heading", async () => {
		const { markdown } = await read(
			"Subject: outer",
			"Content-Type: message/rfc822",
			"",
			"Subject: inner",
			"From: a@b",
			"",
			"hello",
		);
		expect(markdown).toBe("# outer\n\n## inner\n\n- From: a@b\n\nhello");
	});

	it("shows what came of a message that is cut off", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: multipart/mixed; boundary=b",
			"",
			"--b",
			"",
			"first part",
			"--b",
			"Content-Type: text/html",
			"",
			"<p>sec",
		);
		expect(markdown).toBe("# s\n\nfirst part\n\nsec");
	});

	it("stops at messages within messages without end", async () => {
		const nested = Array.from({ length: 50 }, (_, level) => [
			`Subject: level ${level}`,
			"Content-Type: message/rfc822",
			"",
		]);
		const { markdown } = await read(...nested.flat(), "Subject: deepest", "", "x");
		expect(markdown).toContain("level 5");
		expect(markdown).not.toContain("deepest\n");
	});

	it("stops at more parts than a message has", async () => {
		const parts = Array.from({ length: 5000 }, (_, index) => `--b\r\n\r\npart ${index}`);
		const { markdown } = await read("Subject: s", "Content-Type: multipart/mixed; boundary=b", "", ...parts);
		expect(markdown).toContain("part 100");
		expect(markdown).not.toContain("part 300");
	});

	it("joins a file name that is continued over several parameters", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: application/pdf",
			"Content-Disposition: attachment; filename*0*=UTF-8''r%C3%A9;",
			" filename*1*=sum%C3%A9%20;",
			' filename*2="2024.pdf"',
			"Content-Transfer-Encoding: base64",
			"",
			"AAAA",
		);
		expect(markdown).toContain("- résumé 2024.pdf (application/pdf, 3 bytes)");
	});

	it("decodes encoded words that were split inside a character", async () => {
		const { title } = await read(
			"Subject: =?UTF-8?B?YWLD?= =?UTF-8?B?qQ==?= =?UTF-8?Q?_=C3?= =?UTF-8?Q?=A9?=",
			"",
			"x",
		);
		expect(title).toBe("abé é");
	});

	it("joins the lines of a text that flows", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: text/plain; format=flowed",
			"",
			"This is one ",
			"paragraph.",
			"",
			"And another.",
		);
		expect(markdown).toBe("# s\n\nThis is one paragraph.\n\nAnd another.");
	});

	it("keeps the text after a line that only begins like the boundary", async () => {
		const { markdown } = await read(
			"Subject: s",
			'Content-Type: multipart/mixed; boundary="abc"',
			"",
			"--abc",
			"",
			"before",
			"--abcdef is not a boundary",
			"after",
			"--abc--",
		);
		expect(markdown).toContain("before\n--abcdef is not a boundary\nafter");
	});

	it("reads a header with a comment and a boundary without quotes", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: multipart/mixed (made by hand); boundary=a.b_c",
			"",
			"--a.b_c",
			"Content-Type: text/plain (plain)",
			"",
			"text",
			"--a.b_c--",
		);
		expect(markdown).toBe("# s\n\ntext");
	});

	it.each([
		[
			"windows-1251",
			"cff0e8e2e5f22c20fdf2ee20f2e5eaf1f220ede020f0f3f1f1eaeeec20ffe7fbeae5",
			"Привет, это текст на русском языке",
		],
		["Shift_JIS", "82b182ea82cd93fa967b8cea82cc83658358836782c582b78142", "これは日本語のテストです。"],
	])("reads %s that nothing declares, in headers and text", async (_charset, hex, text) => {
		const raw = Buffer.from(hex, "hex").toString("latin1");
		const { title, markdown } = await read(`Subject: ${raw}`, "From: a@b", "", raw);
		expect(title).toBe(text);
		expect(markdown).toContain(`\n\n${text}`);
	});

	it("refuses more headers than a message has, instead of reading without end", async () => {
		await expect(read("Subject: s", `X-Long: ${"a".repeat(3_000_000)}`, "", "x")).rejects.toThrow(
			"header size",
		);
	});

	it("shows text of another kind, and lists a file of it", async () => {
		const { markdown } = await read(
			"Subject: s",
			"Content-Type: multipart/mixed; boundary=b",
			"",
			"--b",
			"Content-Type: text/x-patch",
			"",
			"patch text",
			"--b",
			"Content-Type: text/csv; name=table.csv",
			"Content-Transfer-Encoding: base64",
			"",
			"YSxi",
			"--b--",
		);
		expect(markdown).toBe("# s\n\npatch text\n\n## Attachments\n\n- table.csv (text/csv, 3 bytes)");
	});
});
