import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLIENT_ROWS } from "../../../../src/commands/install/client-rows.ts";
import { planInstall } from "../../../../src/commands/install/plan-install.ts";
import { writeInstall } from "../../../../src/commands/install/write-install.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

const SERVER = { command: "deputize", args: ["mcp"] };
let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const plan = (name: string, env: Readonly<Record<string, string>> = {}) => {
	const row = CLIENT_ROWS.find((candidate) => candidate.name === name);
	if (row === undefined) throw new Error(`no client ${name}`);
	return planInstall(row, SERVER, { home: home.home, cwd: home.project, env, platform: "linux" });
};

describe("installing for a client", () => {
	it.each([
		["claude", ".claude.json", '"type": "stdio"'],
		["codex", ".codex/config.toml", "[mcp_servers.deputize]"],
		["copilot", ".copilot/mcp-config.json", '"type": "local"'],
		["opencode", ".config/opencode/opencode.json", '"deputize",\n        "mcp"'],
		["gemini", ".gemini/settings.json", '"trust": true'],
		["cursor", ".cursor/mcp.json", '"mcpServers"'],
		["zed", ".config/zed/settings.json", '"context_servers"'],
	])("%s writes ~/%s", (name, file, part) => {
		const { after = "", ...planned } = plan(name);
		expect(planned.file).toBe(join(home.home, file));
		expect(after).toContain(part);
		expect(writeInstall({ file: planned.file, after })).toBeUndefined();
		const again = plan(name);
		expect(again.after).toBe(again.before);
	});

	it("of VS Code is for the project; variables of the clients move their files", () => {
		expect(plan("vscode").file).toBe(join(home.project, ".vscode/mcp.json"));
		expect(plan("codex", { CODEX_HOME: "/x" }).file).toBe("/x/config.toml");
		expect(plan("claude", { CLAUDE_CONFIG_DIR: "/y" }).file).toBe("/y/.claude.json");
		expect(plan("zed", { XDG_CONFIG_HOME: "/z" }).file).toBe("/z/zed/settings.json");
	});

	it("keeps the file as it was beside it, its mode, and a link as a link", () => {
		const real = home.write("dotfiles/settings.json", '{ "theme": "dark" }\n');
		mkdirSync(join(home.home, ".gemini"));
		const link = join(home.home, ".gemini/settings.json");
		symlinkSync(real, link);
		const { file, before = "", after = "" } = plan("gemini");
		const mode = statSync(real).mode;
		const backup = writeInstall({ file, before, after });
		expect(lstatSync(link).isSymbolicLink()).toBe(true);
		expect(readFileSync(backup ?? "", "utf8")).toBe(before);
		expect(JSON.parse(readFileSync(link, "utf8"))).toMatchObject({
			theme: "dark",
			mcpServers: { deputize: {} },
		});
		expect(statSync(real).mode).toBe(mode);
	});

	it("leaves a link alone whose file does not exist", () => {
		mkdirSync(join(home.home, ".cursor"));
		symlinkSync("/no/such/file", join(home.home, ".cursor/mcp.json"));
		const { after, problem } = plan("cursor");
		expect([after, problem]).toEqual([undefined, "is a link to a file that does not exist"]);
	});

	it("leaves a file alone that it does not understand, and knows what to add", () => {
		mkdirSync(join(home.home, ".config/zed"), { recursive: true });
		writeFileSync(join(home.home, ".config/zed/settings.json"), "// Zed\n{");
		const { after, problem, entry } = plan("zed");
		expect(after).toBeUndefined();
		expect(problem).toBe("is not a JSON object");
		expect(JSON.parse(entry)).toEqual({ context_servers: { deputize: { ...SERVER, env: {} } } });
	});
});
