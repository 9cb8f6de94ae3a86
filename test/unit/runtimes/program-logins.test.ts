import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findClientProgram, isLoggedIn, listUsablePrograms } from "../../../src/runtimes/program-logins.ts";

const root = mkdtempSync(join(tmpdir(), "program-logins-"));
const bin = join(root, "bin");
mkdirSync(bin);
for (const name of ["claude", "codex"]) writeFileSync(join(bin, name), "", { mode: 0o755 });
afterAll(() => rmSync(root, { recursive: true, force: true }));
const place = { home: root, env: { PATH: bin, ANTHROPIC_API_KEY: "x", CODEX_API_KEY: "x" } };

describe("programs of other agents", () => {
	it.each([
		["claude-code", "claude"],
		["codex-mcp-client", "codex"],
		["gemini-cli-mcp-client", undefined],
		[undefined, undefined],
	])("the client %s is %s", (client, name) => {
		expect(findClientProgram(client, place)).toBe(name);
	});

	it("are usable when they are on PATH and logged in", () => {
		expect(listUsablePrograms(place)).toEqual(["claude", "codex"]);
		expect(listUsablePrograms({ ...place, env: { PATH: bin } })).toEqual([]);
		expect(listUsablePrograms({ ...place, env: { ANTHROPIC_API_KEY: "x" } })).toEqual([]);
	});

	it.each([
		["claude", ".claude/.credentials.json", '{"claudeAiOauth":{}}'],
		["claude", ".claude.json", '{"oauthAccount":{"a":1}}'],
		["codex", ".codex/auth.json", '{"tokens":{}}'],
	] as const)("the login of %s is known in %s", (name, file, text) => {
		const home = mkdtempSync(join(root, "home-"));
		expect(isLoggedIn(name, { home, env: {} })).toBe(false);
		mkdirSync(dirname(join(home, file)), { recursive: true });
		writeFileSync(join(home, file), text);
		expect(isLoggedIn(name, { home, env: {} })).toBe(true);
	});
});
