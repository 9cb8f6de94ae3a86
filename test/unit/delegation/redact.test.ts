import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/contract/limits.ts";
import { createRedact } from "../../../src/delegation/redact.ts";

const OWN_SECRET = "correct-horse-battery-staple-4711";
/** A token known by its form, put together here so that no scanner takes this file for a leak. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const redact = createRedact({
	env: { DEPLOY_TOKEN: OWN_SECRET },
	home: "/home/me",
	agentDirectory: "/nowhere",
	depth: 0,
});
const filler = (chars: number): string => "ordinary words ".repeat(Math.ceil(chars / 15)).slice(0, chars);

/** No eight characters in a row of a secret. */
function expectNoPart(text: string): void {
	for (const secret of [OWN_SECRET, TOKEN])
		for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
}

describe("a part of a text", () => {
	it.each([OWN_SECRET, TOKEN])("shows nothing of a secret that lies across its end: %#", (secret) => {
		for (let before = 0; before <= secret.length; before += 1) {
			const text = `${filler(1000 - before)} ${secret} ${filler(60_000)}`;
			const head = redact.head(text, 1000);
			expectNoPart(head);
			expect(head.length).toBeLessThanOrEqual(1000);
			const mirrored = `${filler(60_000)} ${secret} ${filler(1000 - before)}`;
			const tail = redact.tail(mirrored, 1000);
			expectNoPart(tail);
			expect(tail.length).toBeLessThanOrEqual(1000);
		}
	});

	it("shows nothing of a secret at the raw cut, however much shorter redaction makes the rest", () => {
		const many = `${TOKEN} `.repeat(2000);
		for (let shift = 0; shift < TOKEN.length; shift += 1) {
			expectNoPart(redact.head("x".repeat(shift) + many, 2000));
			expectNoPart(redact.tail(many + "x".repeat(shift), 2000));
		}
	});

	it("is the whole text when that is short", () => {
		expect(redact.head("one two", 1000)).toBe("one two");
		expect(redact.tail("one two", 1000)).toBe("one two");
		expect(redact.head("one two", 3)).toBe("one");
		expect(redact.tail("one two", 3)).toBe("two");
		expect(redact.tail("", 10)).toBe("");
	});
});

describe("arguments", () => {
	it("are shortened after redaction, so that no half of a secret is left at the cut", () => {
		for (let before = 0; before < TOKEN.length; before += 1) {
			const content = `${filler(LIMITS.maxDisplayArgumentChars - before)} ${TOKEN} ${filler(5000)}`;
			const shown = redact.args({ content, nested: { key: OWN_SECRET } });
			expectNoPart(JSON.stringify(shown));
			expect(String(shown["content"]).length).toBeLessThanOrEqual(LIMITS.maxDisplayArgumentChars + 1);
		}
	});
});
