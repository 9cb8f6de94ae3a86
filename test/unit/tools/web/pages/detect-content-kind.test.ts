import { expect, it } from "vitest";
import { detectContentKind } from "../../../../../src/tools/web/pages/detect-content-kind.ts";

it.each([
	["<!doctype html><p>x", "text/html; charset=utf-8", "/", "html"],
	["<p>x", "application/xhtml+xml", "/", "html"],
	["<HTML><body>", "", "/", "html"],
	["<!doctype html>", "text/plain", "/x.txt", "text"],
	['{"a":1}', "application/json", "/", "json"],
	['{"a":1}', "application/ld+json", "/", "json"],
	['<?xml version="1.0"?><rss version="2.0">', "application/xml", "/", "feed"],
	["<feed xmlns='x'>", "text/plain", "/", "feed"],
	["anything", "application/atom+xml", "/", "feed"],
	["<?xml version='1.0'?><project>", "application/xml", "/pom.xml", "text"],
	["%PDF-1.7", "text/html", "/", "document"],
	["PK\x03\x04rest", "application/octet-stream", "/", "document"],
	["{\\rtf1", "", "/", "document"],
	["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "", "/", "document"],
	['{"cells":[]}', "text/plain", "/a.ipynb", "document"],
	["From: a@b", "message/rfc822", "/", "document"],
	["x", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "/", "document"],
	["x", "application/vnd.ms-excel.sheet.macroEnabled.12", "/", "document"],
	["x", "Application/PDF; q=1", "/", "document"],
	["x", "", "/old.DOC", "document"],
	["x", "application/octet-stream", "/mail.msg?x=1", "document"],
	["MIME-Version: 1.0", "application/octet-stream", "/page.mhtml", "document"],
	["a,b", "", "/a.csv", "text"],
	["x", "text/html", "/a.pdf", "html"],
	["\x89PNG\r\n", "text/html", "/", "binary"],
	["\x1f\x8b\x08", "", "/x.tar.gz", "binary"],
	["a\0b", "application/octet-stream", "/", "binary"],
	["MZ is also how a sentence may begin", "text/plain", "/", "text"],
	["a,b\n1,2", "text/csv", "/", "text"],
	["", "", "/", "text"],
])("takes %j of type %j at %s for %s", (body, type, path, kind) => {
	expect(detectContentKind(Buffer.from(body, "latin1"), type, `https://example.org${path}`)).toBe(kind);
});
