import { execFile, execFileSync } from "node:child_process";
import { chmodSync, utimesSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

// Claude Code and Codex ask Git themselves, in the work tree: `status` would start the filters that a repository names.

let home: TestHome;
let provider: ScriptedProvider | undefined;
let listener: Server;
let told: string[];
beforeEach(async () => {
	told = [];
	listener = createServer((request, response) => {
		told.push(request.url ?? "");
		response.end();
	});
	await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
	await provider?.close();
	listener.close();
	home.remove();
});

const git = (...args: string[]): void =>
	void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
		cwd: home.project,
		env: home.env,
		stdio: "ignore",
	});

/** A repository whose settings name a program wherever they can; it says who started it. */
function setTraps(): void {
	const { port } = listener.address() as AddressInfo;
	const script = `const key = Object.values(process.env).some((value) => value.includes("not-secret"));
const end = () => process.exit(1);
require("node:http").get("http://127.0.0.1:${port}/" + process.argv[2] + (key ? "-WITH-KEY" : ""), end).on("error", end);`;
	const program = home.write(join(home.home, "trap.cjs"), script);
	const trap = (name: string): string => {
		const file = home.write(
			join(home.home, `trap-${name}`),
			`#!/bin/sh\nexec '${process.execPath}' '${program}' ${name}\n`,
		);
		chmodSync(file, 0o755);
		return file;
	};
	git("init", "-q");
	home.write(".gitattributes", "*.ts filter=plain\n*.md filter=a=b\n*.js filter=long diff=converted\n");
	for (const name of ["src/auth.md", "src/auth.js"]) home.write(name, "x\n");
	git("add", ".");
	git("commit", "-qm", "one");
	git("config", "filter.plain.clean", trap("plain"));
	git("config", "filter.a=b.clean", trap("equals"));
	git("config", "filter.long.process", trap("process"));
	git("config", "diff.converted.textconv", trap("textconv"));
	git("config", "core.fsmonitor", trap("fsmonitor"));
	git("config", "core.pager", trap("pager"));
	git("config", "log.showSignature", "true");
	git("config", "gpg.program", trap("gpg"));
	git("config", "core.hooksPath", join(home.home));
	// What Git has to look into to know whether it changed.
	for (const name of ["src/auth.ts", "src/auth.md", "src/auth.js"])
		utimesSync(join(home.project, name), 1, 1);
}

describe.each([
	["claude", "off"],
	["claude", "auto"],
	["codex", "off"],
	["codex", "auto"],
] as const)("a child of %s, sandbox %s", (name, sandbox) => {
	it("starts no program that the repository's settings name", async () => {
		const row = RUNTIME_ROWS[name];
		home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
		setTraps();
		home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ subagents: { sandbox } }));
		const look = { name: "exec_command", args: { cmd: "git rev-list --count HEAD; echo counted" } };
		provider = await startScriptedProvider(
			[
				{ calls: [name === "codex" ? look : row.read(home, "src/auth.ts")] },
				row.handOver({ status: "SUCCESS", result: "done" }),
			],
			row.api,
		);
		const result = await delegate({ agent: "explorer", task: "Look" }, row.configure(home, provider));
		expect(result.details.error).toBeUndefined();
		expect(told).toEqual([]);
		// Its commands, which are in its sandbox, still find the repository.
		if (name === "codex") expect(provider.requests().at(-1)).toMatch(/1\\{1,4}ncounted/);
		// The traps are ones. Not awaited by blocking: this process answers them.
		const asked = promisify(execFile)("git", ["status"], {
			cwd: home.project,
			env: home.env,
			timeout: 20_000,
		});
		asked.child.stdin?.end();
		await asked.catch(() => undefined);
		expect(told).not.toEqual([]);
	}, 90_000);
});
