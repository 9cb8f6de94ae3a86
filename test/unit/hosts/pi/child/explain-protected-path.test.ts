import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explainProtectedPath } from "../../../../../src/hosts/pi/child/explain-protected-path.ts";
import { createTestHome, type TestHome } from "../../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome({ "src/a.ts": "" });
	mkdirSync(join(home.home, ".ssh"));
});
afterEach(() => home.remove());

const explain = (tool: string, input: Record<string, unknown>) =>
	explainProtectedPath(tool, input, {
		cwd: home.project,
		home: home.home,
		agentDirectory: home.agentDirectory,
	});

describe("explainProtectedPath", () => {
	it.each([
		["read", { path: "~/.ssh/id_rsa" }],
		["read", { path: "@~/.ssh/id_rsa" }],
		["read", { path: "../home/.ssh/id_rsa" }],
		["read", { path: "~/.pi/agent/auth.json" }],
		["read", { path: "/proc/self/environ" }],
		["read", { path: "/proc/1/task/1/environ" }],
		["read", { path: "/etc/shadow" }],
		["ls", { path: "~/.aws" }],
		["grep", { pattern: "x", path: "~" }],
		["grep", { pattern: "x", path: "/" }],
		["find", { pattern: "*", path: "/proc" }],
		["lsp", { action: "hover", file: "~/.npmrc" }],
		["lsp", { action: "workspace-diagnostics", files: ["src/a.ts", "~/.netrc"] }],
		["convert_content", { path: "~/.gnupg/x.pdf" }],
	])("refuses %s %j", (tool, input) => {
		expect(explain(tool, input)).toContain("is not allowed in a readonly subagent");
	});

	it("refuses a link that leads there", () => {
		symlinkSync(join(home.home, ".ssh"), join(home.project, "innocent"));
		expect(explain("read", { path: "innocent/id_rsa" })).toContain("credentials");
	});

	it.each([
		["read", { path: "src/a.ts" }],
		["read", { path: "missing/file.ts" }],
		["grep", { pattern: "x" }],
		["find", { pattern: "*.ts", path: "src" }],
		["read", { path: "/proc/cpuinfo" }],
		["ls", { path: "~" }],
		["read", { path: "~/.sshrc-notes" }],
	])("lets %s %j through", (tool, input) => {
		expect(explain(tool, input)).toBeUndefined();
	});
});
