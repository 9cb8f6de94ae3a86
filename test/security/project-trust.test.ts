import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	readdirSync,
	rmdirSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprint } from "@deputize/ground";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openApprovedAgents } from "../../src/agents/approved-agents.ts";
import { discoverAgents } from "../../src/agents/discover-agents.ts";
import { installPart } from "../../src/commands/setup/install-part.ts";
import { createDelegationContext } from "../../src/delegation/delegation-context.ts";
import { describeQuestion } from "../../src/delegation/describe-question.ts";
import { readContextFiles } from "../../src/delegation/read-context-files.ts";
import { createJudge } from "../../src/judge/create-judge.ts";
import { runLinters } from "../../src/navigator/changes/run-linters.ts";
import { explainChangedPart } from "../../src/parts/explain-changed-part.ts";
import { locatePart } from "../../src/parts/locate-part.ts";
import { writePartContents } from "../../src/parts/part-contents.ts";
import { locatePartDirectory } from "../../src/parts/part-directory.ts";
import { SEMANTIC_PACKAGE } from "../../src/parts/part-rows.ts";
import { readPartLocks } from "../../src/parts/read-part-locks.ts";
import { findServer } from "../../src/tools/lsp/servers/find-server.ts";
import { SERVER_TABLE } from "../../src/tools/lsp/servers/server-table.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const isRoot = process.getuid?.() === 0;
/** Only root can give a directory to somebody else; everybody can open one to all. */
const STRANGERS: readonly (readonly [string, (path: string) => void])[] = [
	["that everybody may write to", (path) => chmodSync(path, 0o1777)],
	...(isRoot ? [["of somebody else", (path: string) => chownSync(path, 65534, 65534)] as const] : []),
];

function program(path: string, text = "#!/bin/sh\n"): string {
	const file = home.write(path, text);
	chmodSync(file, 0o755);
	return file;
}

describe("an approval (06)", () => {
	const AGENT = "---\nname: helper\ndescription: Helps\ntools: read\nskills: style\n---\nYou help.\n";
	const discover = () => {
		const { agents } = discoverAgents({ ...home, cwd: home.project });
		const helper = agents.find(({ name }) => name === "helper");
		if (helper === undefined) throw new Error("The agent was not found.");
		return helper;
	};

	it.each([
		["the skill's instructions", "SKILL.md"],
		["a file beside them", "references/more.md"],
	])("covers skills: %s changed are a new question, which names them", (_name, file) => {
		home.write(".agents/helper.md", AGENT);
		home.write(".agents/skills/style/SKILL.md", "---\ndescription: Good style\n---\nWrite well.\n");
		home.write(".agents/skills/style/references/more.md", "More.\n");
		const approved = openApprovedAgents(home.agentDirectory);
		approved.approve(discover());
		expect(approved.isApproved(discover())).toBe(true);
		home.write(`.agents/skills/style/${file}`, "---\ndescription: EVIL-INSTRUCTION\n---\nObey.\n");
		expect(approved.isApproved(discover())).toBe(false);
		const { message } = describeQuestion(discover(), { tools: ["read"], withheld: [] }, home.project);
		expect(message).toMatch(/Skills of the project it follows: style \([0-9a-f]{12}\)/);
	});

	it.each([
		["a file", "docs/more.md"],
		["a directory", "docs"],
	])("covers what a link in a skill leads to: %s", (_name, target) => {
		home.write(".agents/helper.md", AGENT);
		home.write(".agents/skills/style/SKILL.md", "Write well. More is in more.\n");
		home.write("docs/more.md", "More.\n");
		symlinkSync(join(home.project, target), join(home.project, ".agents/skills/style/more"));
		const approved = openApprovedAgents(home.agentDirectory);
		approved.approve(discover());
		expect(approved.isApproved(discover())).toBe(true);
		home.write("docs/more.md", "Obey.\n");
		expect(approved.isApproved(discover())).toBe(false);
	});

	it("counts a link that leads nowhere, or to itself", () => {
		home.write(".agents/helper.md", AGENT);
		home.write(".agents/skills/style/SKILL.md", "Write well.\n");
		const link = join(home.project, ".agents/skills/style/more");
		symlinkSync(join(home.project, "nowhere"), link);
		const approved = openApprovedAgents(home.agentDirectory);
		approved.approve(discover());
		expect(approved.isApproved(discover())).toBe(true);
		home.write("nowhere", "Obey.\n");
		expect(approved.isApproved(discover())).toBe(false);
		symlinkSync(join(home.project, ".agents/skills/style"), join(home.project, ".agents/skills/style/again"));
		approved.approve(discover());
		expect(approved.isApproved(discover())).toBe(false);
	});

	it("does not take a directory for the file that its name describes", () => {
		home.write(".agents/helper.md", AGENT);
		home.write(".agents/skills/style/SKILL.md", "Write well. More is in more.md.\n");
		const more = join(home.project, ".agents/skills/style/more.md");
		const evil = "Obey.\n";
		mkdirSync(`${more} ${fingerprint(evil)}`);
		const approved = openApprovedAgents(home.agentDirectory);
		approved.approve(discover());
		rmdirSync(`${more} ${fingerprint(evil)}`);
		home.write(more, evil);
		expect(approved.isApproved(discover())).toBe(false);
	});

	it("covers a skill that was not there yet, and one in the other directory", () => {
		home.write(".agents/helper.md", AGENT);
		const approved = openApprovedAgents(home.agentDirectory);
		approved.approve(discover());
		home.write(".agents/skills/style/SKILL.md", "Obey.\n");
		expect(approved.isApproved(discover())).toBe(false);
		approved.approve(discover());
		home.write(".pi/skills/style/SKILL.md", "Obey me instead.\n");
		expect(approved.isApproved(discover())).toBe(false);
	});
});

describe.each(STRANGERS)("a directory %s (07)", (_name, giveAway) => {
	it("around the working directory gives neither notes nor agents nor a repository", () => {
		home.write(".git/HEAD", "");
		home.write("AGENTS.md", "EVIL-NOTES");
		home.write(".agents/explorer.md", "---\nname: explorer\n---\nEvil.\n");
		const cwd = join(home.project, "own");
		mkdirSync(cwd, { mode: 0o700 });
		const look = () => {
			const judge = createJudge({ ...home, cwd });
			const { agents } = discoverAgents({ ...home, cwd });
			return {
				notes: readContextFiles(cwd, judge).map(({ text }) => text),
				source: agents.find(({ name }) => name === "explorer")?.source,
				tree: judge.workingTree(),
			};
		};
		expect(look()).toEqual({ notes: ["EVIL-NOTES"], source: "project", tree: home.project });
		giveAway(home.project);
		expect(look()).toEqual({ notes: [], source: "builtin", tree: cwd });
	});
});

describe("programs of a repository, from a directory below its top (2 of the second round)", () => {
	let cwd: string;
	let bin: string;
	beforeEach(() => {
		home.write(".git/HEAD", "");
		cwd = join(home.project, "packages", "app");
		mkdirSync(cwd, { recursive: true });
		bin = join(home.project, "node_modules", ".bin");
	});
	const env = () => ({ PATH: [bin, "/usr/bin", "/bin"].join(delimiter), HOME: home.home });
	const search = (id: string) => {
		const definition = SERVER_TABLE.find((server) => server.id === id);
		if (definition === undefined) throw new Error(`There is no server ${id}.`);
		return findServer(definition, { env: env(), workspace: cwd, root: cwd, trusted: false, isBoxed: true });
	};

	it("are not its language servers", () => {
		program("node_modules/.bin/pyright-langserver");
		const found = search("pyright");
		expect(found.kind === "found" ? found.launch.program : "").not.toContain(home.project);
	});

	it("are not its TypeScript", () => {
		home.write("node_modules/typescript/package.json", JSON.stringify({ version: "7.0.0" }));
		program("node_modules/typescript/bin/tsc");
		program("node_modules/.bin/tsc");
		bin = join(home.project, "node_modules", "typescript", "bin");
		const found = search("typescript");
		expect(found.kind === "found" ? found.launch.program : "").not.toContain(home.project);
	});

	it("are not its linters", async () => {
		const ran = join(home.home, "PWNED");
		program("node_modules/.bin/oxlint", `#!/bin/sh\ntouch ${ran}\n`);
		const changed = { path: "a.ts", isDeleted: false, added: [{ line: 1, text: "x" }] };
		await runLinters([changed as never], { cwd, env: env(), projectTrusted: false });
		expect(existsSync(ran)).toBe(false);
	});

	it("are on no path and in no virtual environment of a delegation, until the project is trusted", () => {
		const given = { ...env(), VIRTUAL_ENV: join(home.project, ".venv") };
		const open = (trust: boolean | undefined) =>
			createDelegationContext({ cwd, env: given, ...(trust && { host: { projectTrust: trust } }) });
		expect(open(undefined).surroundings.env).toEqual({ ...env(), PATH: "/usr/bin:/bin" });
		expect(open(true).surroundings.env).toEqual(given);
	});
});

describe("an optional part (7 and 8 of the second round)", () => {
	const directory = (): string => {
		const lock = readPartLocks().queue;
		if (lock === undefined) throw new Error("dist/parts.json is missing: run npm run build.");
		return locatePartDirectory(home.agentDirectory, "queue", lock);
	};
	const OTHER = ["a-package-that-is-not-beside-us"];
	const plant = (): void => {
		home.write(join(directory(), "node_modules", OTHER[0] ?? "", "package.json"), "{}");
		writePartContents(join(directory(), "node_modules"));
	};
	const locate = () => locatePart("queue", { agentDirectory: home.agentDirectory, packages: OTHER });
	const close = (): void => {
		for (const name of ["deputize", "deputize/parts"]) chmodSync(join(home.agentDirectory, name), 0o700);
		for (const path of [directory(), join(directory(), "node_modules")]) chmodSync(path, 0o700);
	};

	it.each(STRANGERS)("is not taken from a directory %s", (_name, giveAway) => {
		plant();
		close();
		expect(locate()?.source).toBe("setup");
		giveAway(join(home.agentDirectory, "deputize", "parts"));
		expect(locate()).toBeUndefined();
	});

	it("is not taken from what NODE_PATH names", () => {
		home.write(`node_modules/${OTHER[0]}/package.json`, "{}");
		const module = new URL("../../src/parts/locate-part.ts", import.meta.url).href;
		const code = `const { locatePart } = await import(${JSON.stringify(module)});
console.log(JSON.stringify(locatePart("queue", { packages: ${JSON.stringify(OTHER)} }) ?? "nowhere"));`;
		// Node reads the variable when it starts.
		const said = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
			env: { ...home.env, NODE_PATH: join(home.project, "node_modules") },
			encoding: "utf8",
		});
		expect(said.trim()).toBe('"nowhere"');
	});

	it("of which npm installed nothing leaves nothing, and does not keep the next attempt from working", async () => {
		// An npm that says it is done, as with dry-run in its settings.
		const bin = join(home.home, "bin");
		program(join(bin, "npm"));
		const env = { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) };
		const install = () => installPart("semantic", { agentDirectory: home.agentDirectory, env });
		await expect(install()).rejects.toThrow("not complete");
		const parts = join(home.agentDirectory, "deputize", "parts");
		expect(existsSync(parts) ? readdirSync(parts) : []).toEqual([]);
	});

	it("of which half is there is none", () => {
		plant();
		close();
		rmSync(join(directory(), "node_modules", ".deputize-contents.json"));
		expect(locate()).toBeUndefined();
	});

	it("that was changed is not loaded, which is said with the file and the command", () => {
		plant();
		close();
		const located = locate();
		if (located === undefined) throw new Error("The part was not found.");
		expect(explainChangedPart(located)).toBeUndefined();
		const file = home.write(join(located.modules, OTHER[0] ?? "", "package.json"), '{"main":"evil.js"}');
		expect(explainChangedPart(located)).toBe(
			`${file} was changed after the part queue was installed, so none of it is loaded. Run: deputize setup queue`,
		);
	});
});

describe("an interrupted setup (9 of the second round)", () => {
	it.each(["SIGINT", "SIGTERM"] as const)("leaves nothing after %s", async (signal) => {
		const bin = join(home.home, "bin");
		const started = join(home.home, "npm-started");
		program(join(bin, "npm"), `#!/bin/sh\ntouch ${started}\nexec sleep 60\n`);
		const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
		const setup = spawn(process.execPath, [cli, "setup", "semantic"], {
			cwd: home.project,
			env: { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) },
			stdio: "ignore",
		});
		const ended = once(setup, "exit");
		await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 20_000 });
		setup.kill(signal);
		expect(await ended).toEqual([signal === "SIGINT" ? 130 : 143, null]);
		expect(readdirSync(join(home.agentDirectory, "deputize", "parts"))).toEqual([]);
	});

	it("that was killed leaves no part that counts, and nothing at all after the next one", async () => {
		const bin = join(home.home, "bin");
		const modules = `node_modules/${SEMANTIC_PACKAGE}`;
		const npm = (rest: string): string =>
			program(
				join(bin, "npm"),
				`#!/bin/sh\nmkdir -p ${modules}\necho {} >${modules}/package.json\n${rest}\n`,
			);
		const env = { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) };
		// Its npm kills the process that installs when the packages are there and not moved yet.
		npm("kill -9 $PPID");
		const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
		const killed = spawn(process.execPath, [cli, "setup", "semantic"], {
			cwd: home.project,
			env,
			stdio: "ignore",
		});
		expect(await once(killed, "exit")).toEqual([null, "SIGKILL"]);
		const parts = join(home.agentDirectory, "deputize", "parts");
		expect(readdirSync(parts)).toEqual([expect.stringMatching(/^\.new-semantic-/)]);
		expect(locatePart("semantic", home)).toBeUndefined();
		npm("");
		expect(await installPart("semantic", { ...home, env })).toBe("installed");
		expect(locatePart("semantic", home)?.source).toBe("setup");
		expect(readdirSync(parts)).toEqual([expect.stringMatching(/^semantic@/)]);
	});
});

describe("credentials beside packages (05)", () => {
	const explain = (path: string, windowsUsers: readonly string[] = []) =>
		createJudge({ ...home, cwd: home.project, windowsUsers }).explain(path);

	it.each([
		".local/share/uv/credentials/credentials.toml",
		".dotnet/corefx/cryptography/x509stores/my/a.pfx",
		"snap/chromium/common/chromium/Default/Cookies",
		".venv/pip.conf",
		".virtualenvs/own/pip.conf",
		".cargo/git/db/private-1/config",
		".cargo/registry/index/private-1/.git/config",
		".bun/install/token",
		".deno/credentials.json",
		".cache/deno/location_data/a/local_storage",
		".opam/repo/repos-config",
		".swiftpm/security/keys",
	])("are closed: ~/%s", (path) => {
		expect(explain(join(home.home, path))).toEqual(expect.any(String));
	});

	it.each([
		".cargo/registry/src/index/serde/src/lib.rs",
		".cargo/git/checkouts/a/1/src/lib.rs",
		".local/share/uv/python/cpython/lib/os.py",
		".cache/uv/archive-v0/x/requests/api.py",
		".dotnet/sdk/9.0.100/Sdks/readme.md",
		".venv/lib/python3.12/site-packages/requests/api.py",
		".bun/install/cache/left-pad/index.js",
		".opam/default/lib/ocaml/list.ml",
	])("and sources are not: ~/%s", (path) => {
		expect(explain(join(home.home, path))).toBeUndefined();
	});

	it("are closed in the profile of Windows, too", () => {
		const users = join(home.project, "..", "mnt-c-Users");
		const profile = join(users, "Alice");
		home.write(join(profile, "notes.txt"), "");
		expect(explain(join(profile, ".aws/credentials"), [users])).toEqual(expect.any(String));
		expect(explain(join(profile, "AppData/Local/Google/Chrome"), [users])).toEqual(expect.any(String));
		expect(explain(join(profile, "notes.txt"), [users])).toBeUndefined();
	});
});
