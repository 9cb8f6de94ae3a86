import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chooseRuntime } from "../../../src/delegation/choose-runtime.ts";
import { isLoggedIn } from "../../../src/runtimes/program-logins.ts";

const installed = () => undefined;
const missing = () => ({ why: "pi was not found", gain: "To use pi, install it." });
const wishes = { env: {}, cwd: "/" };

describe("the runtime of an agent", () => {
	it("is pi where pi is installed", () => {
		expect(chooseRuntime({}, wishes, installed)).toMatchObject({ name: "pi" });
	});

	it("is the one that was asked for, else the agent's, installed or not", () => {
		expect(chooseRuntime({ runtime: "pi" }, wishes, missing)).toMatchObject({ name: "pi" });
		expect(chooseRuntime({ runtime: "pi" }, { ...wishes, requested: "loop" }, missing)).toMatchObject({
			name: "loop",
		});
	});

	it("is the configured one where neither the call nor the agent names one", () => {
		const configured = { ...wishes, configured: "loop" } as const;
		expect(chooseRuntime({}, configured, installed)).toMatchObject({
			name: "loop",
			why: "subagents.runtime",
		});
		expect(chooseRuntime({ runtime: "pi" }, configured, installed)).toMatchObject({ name: "pi" });
		expect(chooseRuntime({}, { ...wishes, configured: "auto" }, installed)).toMatchObject({ name: "pi" });
	});

	describe("called by another agent", () => {
		const root = mkdtempSync(join(tmpdir(), "choose-runtime-"));
		const bin = join(root, "bin");
		mkdirSync(bin);
		for (const name of ["claude", "codex"]) writeFileSync(join(bin, name), "", { mode: 0o755 });
		afterAll(() => rmSync(root, { recursive: true, force: true }));
		const env = { PATH: bin, ANTHROPIC_API_KEY: "x", CODEX_API_KEY: "x" };
		const called = (callingClient: string, more: object = {}) => ({
			...wishes,
			home: root,
			env,
			callingClient,
			...more,
		});

		it.each([
			["claude-code", "claude"],
			["codex-mcp-client", "codex"],
			["gemini-cli-mcp-client", "pi"],
		])("%s is %s", (client, name) => {
			expect(chooseRuntime({}, called(client), installed)).toMatchObject({ name });
		});

		it.each([
			["inside pi", called("claude-code", { piPackage: "/pi" })],
			["not on PATH", called("claude-code", { env: { ANTHROPIC_API_KEY: "x" } })],
			["not logged in", called("claude-code", { env: { PATH: bin } })],
			["asked for a model that the client does not have", called("claude-code", { model: "openai/x" })],
			["asked to work offline", called("claude-code", { model: "offline/navigator" })],
		])("is pi when it is %s", (_, given) => {
			expect(chooseRuntime({}, given, installed)).toMatchObject({ name: "pi" });
		});

		it.each([
			["claude", ".claude/.credentials.json", '{"claudeAiOauth":{}}'],
			["claude", ".claude.json", '{"oauthAccount":{"a":1}}'],
			["codex", ".codex/auth.json", '{"tokens":{}}'],
		] as const)("knows the login of %s in %s", (name, file, text) => {
			const home = mkdtempSync(join(root, "home-"));
			const place = { home, env: {} };
			expect(isLoggedIn(name, place)).toBe(false);
			mkdirSync(dirname(join(home, file)), { recursive: true });
			writeFileSync(join(home, file), text);
			expect(isLoggedIn(name, place)).toBe(true);
		});
	});

	it("is our own program where pi is missing, and says so", () => {
		expect(chooseRuntime({}, wishes, missing)).toMatchObject({
			name: "loop",
			notice: expect.stringContaining("pi was not found"),
		});
	});

	it("stays pi when somebody named a pi, or when our own program has no such model", () => {
		const named = { ...wishes, env: { PI_SUBAGENT_PI_BINARY: "/opt/pi" } };
		expect(chooseRuntime({}, named, missing)).toMatchObject({ name: "pi" });
		expect(chooseRuntime({ model: "nobody/knows-it" }, wishes, missing)).toMatchObject({ name: "pi" });
		expect(chooseRuntime({}, { ...wishes, piPackage: "/pi" }, missing)).toMatchObject({ name: "pi" });
	});
});
