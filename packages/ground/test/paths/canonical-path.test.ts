import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalPath } from "../../paths/canonical-path.ts";

describe("canonicalPath", () => {
	let root = "";
	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "canonical-")));
		mkdirSync(join(root, "real"));
		symlinkSync(join(root, "real"), join(root, "link"));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	it("follows links, also in the middle of a path whose end does not exist", () => {
		expect(canonicalPath(join(root, "link"))).toBe(join(root, "real"));
		expect(canonicalPath(join(root, "link", "not", "there"))).toBe(join(root, "real", "not", "there"));
	});

	it("answers for a link that leads nowhere and for the root", () => {
		symlinkSync(join(root, "gone"), join(root, "dangling"));
		expect(canonicalPath(join(root, "dangling", "x"))).toBe(join(root, "dangling", "x"));
		expect(canonicalPath("/")).toBe("/");
	});
});
