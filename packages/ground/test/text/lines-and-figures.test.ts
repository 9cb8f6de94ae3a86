import { expect, it } from "vitest";
import { fingerprint } from "../../text/fingerprint.ts";
import { formatMebibytes } from "../../text/format-mebibytes.ts";
import { lastLine } from "../../text/last-line.ts";
import { splitLines } from "../../text/split-lines.ts";

it("finds the last line that says something", () => {
	expect(lastLine("a\nb: why\n\n")).toBe("b: why");
	expect(lastLine("")).toBe("");
});

it("counts no line after the final line feed", () => {
	expect(splitLines("a\nb\n")).toEqual(["a", "b"]);
	expect(splitLines("a\n\n")).toEqual(["a", ""]);
	expect(splitLines("a")).toEqual(["a"]);
	expect(splitLines("")).toEqual([]);
});

it("writes sizes without digits that say nothing", () => {
	expect(formatMebibytes(16 * 1024 * 1024)).toBe("16 MiB");
	expect(formatMebibytes(1.26 * 1024 * 1024)).toBe("1.3 MiB");
});

it("has the same fingerprint for text and its bytes", () => {
	expect(fingerprint("ä")).toBe(fingerprint(Buffer.from("ä")));
	expect(fingerprint("abc", 8)).toBe("ba7816bf");
});
