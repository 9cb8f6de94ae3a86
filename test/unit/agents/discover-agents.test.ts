import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverAgents, findProjectAgentsDirectories } from "../../../src/agents/discover-agents.ts";
import { BUILTIN_AGENTS_DIRECTORY } from "../../../src/agents/read-builtin-agents.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const agent = (name: string, extra = ""): string =>
	`---\nname: ${name}\ndescription: about ${name}\n${extra}---\nBe ${name}.\n`;

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const discover = (extraDirectories: readonly string[] = []) =>
	discoverAgents({
		cwd: home.project,
		home: home.home,
		agentDirectory: home.agentDirectory,
		extraDirectories,
	});

describe("discoverAgents", () => {
	it("finds the built-in agent behind a project's file of the same name when only those are asked for", () => {
		home.write(".pi/agents/explorer.md", agent("explorer"));
		home.write(".pi/agents/extra.md", agent("extra"));
		const { agents } = discoverAgents({
			cwd: home.project,
			home: home.home,
			agentDirectory: home.agentDirectory,
			builtinOnly: true,
		});
		expect(agents.find(({ name }) => name === "explorer")).toMatchObject({ source: "builtin" });
		expect(agents.every(({ source, shadows }) => source === "builtin" && shadows === undefined)).toBe(true);
	});

	it("finds the six built-in agents, all readonly but the one that fixes", () => {
		const { agents } = discover();
		expect(agents.map(({ name }) => name)).toEqual([
			"explorer",
			"fixer",
			"implementer",
			"researcher",
			"reviewer",
			"tester",
		]);
		expect(agents.every(({ source }) => source === "builtin")).toBe(true);
		expect(agents.filter(({ readonly }) => !readonly).map(({ name }) => name)).toEqual(["fixer"]);
	});

	it("lets project win over user over builtin, and says what was replaced", () => {
		home.write(join(home.agentDirectory, "agents/explorer.md"), agent("explorer"));
		expect(discover().agents.find(({ name }) => name === "explorer")).toMatchObject({
			source: "user",
			shadows: "builtin",
		});
		home.write(".pi/agents/explorer.md", agent("explorer"));
		expect(discover().agents.find(({ name }) => name === "explorer")).toMatchObject({
			source: "project",
			shadows: "user",
		});
	});

	it("lets a directory named on the command line win over all", () => {
		home.write(".pi/agents/explorer.md", agent("explorer"));
		home.write("mine/explorer.md", agent("explorer"));
		expect(discover(["mine"]).agents.find(({ name }) => name === "explorer")).toMatchObject({
			source: "user",
			shadows: "project",
		});
	});

	it("finds the nearest project directory upwards, with both of its folders", () => {
		home.write(".agents/a.md", agent("a"));
		const deep = join(home.project, "x/y");
		mkdirSync(deep, { recursive: true });
		const find = () => findProjectAgentsDirectories(deep, home.home);
		expect(find()).toEqual([join(home.project, ".agents")]);
		home.write(".pi/agents/b.md", agent("b"));
		expect(find()).toEqual([join(home.project, ".agents"), join(home.project, ".pi/agents")]);
		expect(discover().agents.map(({ name }) => name)).toEqual(expect.arrayContaining(["a", "b"]));
	});

	it("takes an agent of .pi/agents before one of the same name in .agents", () => {
		home.write(".agents/a.md", agent("a"));
		const file = home.write(".pi/agents/a.md", agent("a"));
		expect(discover().agents.find(({ name }) => name === "a")?.file).toBe(file);
	});

	it("goes past the root of a repository and stops before the home directory", () => {
		home.write(".agents/a.md", agent("a"));
		mkdirSync(join(home.project, "repo/.git"), { recursive: true });
		expect(findProjectAgentsDirectories(join(home.project, "repo"), home.home)).toEqual([
			join(home.project, ".agents"),
		]);
		home.write(join(home.home, ".agents/a.md"), agent("a"));
		mkdirSync(join(home.home, "code"));
		expect(findProjectAgentsDirectories(join(home.home, "code"), home.home)).toEqual([]);
	});

	it("reads the folder prompts of an agents directory too, after the files beside it", () => {
		home.write(".pi/agents/prompts/scout.md", agent("scout"));
		home.write(".pi/agents/prompts/twice.md", agent("twice"));
		const taken = home.write(".pi/agents/twice.md", agent("twice"));
		const { agents, skipped } = discover();
		expect(agents.find(({ name }) => name === "scout")?.source).toBe("project");
		expect(agents.find(({ name }) => name === "twice")?.file).toBe(taken);
		expect(skipped.map(({ reason }) => reason)).toEqual([`the name twice is already taken by ${taken}`]);
	});

	it("finds prompts of a project and of extensions that name an agent, and passes over all others", () => {
		home.write("prompts/scout.md", agent("scout", "approved_tools:\n- read\n- bash\n"));
		home.write("prompts/release.md", "Write the release notes of $1.");
		home.write("prompts/fix.prompt.md", "---\ndescription: Fixes\nmode: agent\n---\n");
		home.write(".pi/extensions/subagents/prompts/deep.md", agent("deep"));
		home.write(join(home.agentDirectory, "extensions/mine/prompts/own.md"), agent("own"));
		const wrong = home.write("prompts/wrong.md", "---\nname: wrong\ntools: read\ndenied_tools: bash\n---\n");
		mkdirSync(join(home.project, ".git"));
		mkdirSync(join(home.project, "src"));
		for (const cwd of [home.project, join(home.project, "src")]) {
			const { agents, skipped } = discoverAgents({
				cwd,
				home: home.home,
				agentDirectory: home.agentDirectory,
			});
			const sources = Object.fromEntries(agents.map(({ name, source }) => [name, source]));
			expect(sources).toMatchObject({ scout: "project", deep: "project", own: "user" });
			expect(sources).not.toHaveProperty("fix");
			expect(skipped.map(({ file }) => file)).toEqual([wrong]);
		}
		const stronger = home.write(".pi/agents/scout.md", agent("scout"));
		expect(discover().agents.find(({ name }) => name === "scout")?.file).toBe(stronger);
	});

	it("cannot be fooled into calling a project's agents directory built in", () => {
		home.write("agents/explorer.md", agent("explorer", "tools: bash\n"));
		const found = discover().agents.find(({ name }) => name === "explorer");
		expect(found).toMatchObject({ source: "builtin", file: join(BUILTIN_AGENTS_DIRECTORY, "explorer.md") });
	});

	it.each([
		["broken.md", "no frontmatter", "first line"],
		["nameless.md", "---\ndescription: d\n---\n", "name is missing"],
		["odd.md", "---\nname: ../x\n---\n", "may only contain"],
		["both.md", "---\nname: both\ntools: read\ndenied_tools: bash\n---\n", "ambiguous"],
		["two.md", "---\nname: two\ntools: read\nallowed_tools: ls\n---\n", "keep one"],
		["runtime.md", "---\nname: r\nruntime: docker\n---\n", "one of pi, loop, claude, codex"],
		["huge.md", `---\nname: huge\n---\n${"x".repeat(10 * 1024 * 1024)}`, "more than the 65536"],
	])("skips %s with a reason", (file, text, reason) => {
		home.write(join(home.agentDirectory, "agents", file), text);
		const { skipped } = discover();
		expect(skipped).toHaveLength(1);
		expect(skipped[0]?.file.endsWith(file)).toBe(true);
		expect(skipped[0]?.reason).toContain(reason);
	});

	it("does not follow symbolic links to files, nor a project's link to a directory", () => {
		const target = home.write("elsewhere/real.md", agent("real"));
		mkdirSync(join(home.agentDirectory, "agents"), { recursive: true });
		symlinkSync(target, join(home.agentDirectory, "agents/link.md"));
		symlinkSync(join(home.project, "elsewhere"), join(home.project, ".agents"));
		const { agents, skipped } = discover();
		expect(agents.map(({ name }) => name)).not.toContain("real");
		expect(skipped.map(({ reason }) => reason).join()).toMatch(
			/symbolic links are not followed.*is a symbolic link/,
		);
	});

	it("reports a second file of the same name instead of choosing silently", () => {
		writeFileSync(home.write(join(home.agentDirectory, "agents/a.md"), ""), agent("same"));
		home.write(join(home.agentDirectory, "agents/b.md"), agent("Same"));
		expect(discover().skipped[0]?.reason).toContain("already taken by");
	});

	it("reads a schema beside the agent file, and none that a link leads to elsewhere", () => {
		home.write("secret/token.json", '{"type":"object"}');
		home.write(".pi/agents/schema.json", '{"type":"object"}');
		mkdirSync(join(home.project, ".pi/agents"), { recursive: true });
		symlinkSync(join(home.project, "secret"), join(home.project, ".pi/agents/link"));
		home.write(".pi/agents/a.md", agent("a", "output: schema.json\n"));
		home.write(".pi/agents/b.md", agent("b", "output: link/token.json\n"));
		home.write(".pi/agents/c.md", agent("c", "output: ../../secret/token.json\n"));
		const { agents, skipped } = discover();
		expect(agents.find(({ name }) => name === "a")?.output).toEqual({ type: "object" });
		expect(skipped.map(({ reason }) => reason)).toEqual([
			'output: "link/token.json" is not in the directory of the agent file',
			'output: "../../secret/token.json" is not in the directory of the agent file',
		]);
	});
});
