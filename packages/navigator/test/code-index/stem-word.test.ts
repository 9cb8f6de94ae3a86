import { describe, expect, it } from "vitest";
import { stemsMeet, stemWord } from "../../code-index/stem-word.ts";

describe("stemWord", () => {
	it.each([
		["decided", "decid"],
		["decides", "decid"],
		["deciding", "decid"],
		["tools", "tool"],
		["children", "child"],
		["retries", "retri"],
		["retry", "retri"],
		["cookies", "cooki"],
		["cookie", "cooki"],
		["applied", "appli"],
		["parsing", "pars"],
		["parsed", "pars"],
		["caches", "cach"],
		["cache", "cach"],
		["running", "run"],
		["matches", "match"],
		["processes", "process"],
		["status", "status"],
		["strings", "string"],
		["redaction", "redact"],
		["option", "option"],
		["speed", "speed"],
		["id", "id"],
		["SSE", "sse"],
		["v2", "v2"],
		["größen", "größen"],
	])("takes %s to %s", (word, stem) => {
		expect(stemWord(word)).toBe(stem);
	});
});

describe("stemsMeet", () => {
	it.each([
		["parse", "parser"],
		["redact", "redaction"],
		["configure", "configuration"],
		["load", "loader"],
	])("brings %s and %s together", (left, right) => {
		expect(stemsMeet(stemWord(left), stemWord(right))).toBe(true);
	});

	it.each([
		["list", "listen"],
		["child", "chill"],
		["run", "runtime"],
		["port", "portrait"],
		["auth", "author"],
		["head", "header"],
	])("keeps %s and %s apart", (left, right) => {
		expect(stemsMeet(stemWord(left), stemWord(right))).toBe(false);
	});
});
