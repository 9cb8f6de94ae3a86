import { describe, expect, it } from "vitest";
import { readMail } from "../../../../../src/tools/convert/mail/read-mail.ts";

const read = (...lines: readonly string[]) => readMail(Buffer.from(lines.join("\r\n"), "latin1"));

describe("readMail", () => {
	it("decodes encoded words in headers, also when they were split", () => {
		const { title, markdown } = read(
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
	])("decodes a %s body", (encoding, body, charset, text) => {
		const { markdown } = read(
			"Subject: s",
			`Content-Type: text/plain; charset="${charset}"`,
			`Content-Transfer-Encoding: ${encoding}`,
			"",
			body,
		);
		expect(markdown).toBe(`# s\n\n${text}`);
	});

	it("prefers HTML, whose links the plain text lost", () => {
		const { markdown } = read(
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

	it("lists attachments by their names and does not open them", () => {
		const { markdown, metadata } = read(
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

	it("shows a forwarded message under its own heading", () => {
		const { markdown } = read(
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

	it("shows what came of a message that is cut off", () => {
		const { markdown } = read(
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

	it("stops at messages within messages without end", () => {
		const nested = Array.from({ length: 50 }, (_, level) => [
			`Subject: level ${level}`,
			"Content-Type: message/rfc822",
			"",
		]);
		const { markdown } = read(...nested.flat(), "Subject: deepest", "", "x");
		expect(markdown).toContain("level 5");
		expect(markdown).not.toContain("deepest\n");
	});

	it("stops at more parts than a message has", () => {
		const parts = Array.from({ length: 5000 }, (_, index) => `--b\r\n\r\npart ${index}`);
		const { markdown } = read("Subject: s", "Content-Type: multipart/mixed; boundary=b", "", ...parts);
		expect(markdown).toContain("part 100");
		expect(markdown).not.toContain("part 300");
	});
});
