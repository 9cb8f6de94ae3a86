import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takesMentions } from "../../../../../../src/hosts/pi/parent/toolkit/find-mention.ts";

it.each([
	['pi.on("input", ({ text }) => text.startsWith("@") ? go(text) : undefined)', true],
	['pi.on("input", ({ text }) => /^@(\\w+) (.*)$/.exec(text))', true],
	['pi.on("input", ({ text }) => log(text))', false],
	['pi.on("tool_call", ({ input }) => input.path.startsWith("@"))', false],
])("an extension with %s takes messages that begin with @: %s", (source, expected) => {
	const directory = mkdtempSync(join(tmpdir(), "deputize-mention-"));
	try {
		const file = join(directory, "extension.ts");
		writeFileSync(file, source);
		expect(takesMentions([file])).toBe(expected);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
});
