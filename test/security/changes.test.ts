import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyChanges } from "../../src/changes/apply-changes.ts";
import { collectChanges } from "../../src/changes/collect-changes.ts";
import { dropChanges } from "../../src/changes/drop-changes.ts";
import { watchLayer } from "../../src/changes/watch-layer.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { type ChangeBench, createChangeBench, listStates } from "../helpers/change-bench.ts";
import { runCli } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { finalize, startScriptedProvider } from "../helpers/scripted-provider.ts";

const probe = await probeSandbox({ env: process.env });
const hasLayers = probe.works && probe.sandbox.layers.how !== "none";

let bench: ChangeBench;
beforeEach(() => {
	bench = createChangeBench({ "src/a": "one\n", "sub/f": "x\n" });
	bench.git("init", "-q");
	bench.commit();
});
afterEach(() => bench.remove());

describe.skipIf(!hasLayers)("a child that writes and is hostile", () => {
	it("cannot crash whoever watches it, or make a layer that nobody can remove, with directories deeper than any path", async () => {
		const layer = await bench.open();
		await bench.work(
			layer,
			"echo y > src/a; n=$(printf 'd%.0s' {1..200}); for i in $(seq 60); do mkdir $n; cd $n; done; echo deep > file",
		);
		const failures: unknown[] = [];
		const note = (error: unknown): number => failures.push(error);
		process.on("uncaughtException", note);
		const unwatch = watchLayer(layer, { maxMb: 100, onTooLarge: () => undefined });
		await new Promise((resolve) => setTimeout(resolve, 2500));
		unwatch();
		process.off("uncaughtException", note);
		expect(failures).toEqual([]);
		const change = await collectChanges(layer);
		expect(change?.files).toMatchObject([{ path: "src/a" }]);
		await dropChanges(bench, layer.id);
		expect(listStates(bench)).toEqual([]);
	});

	it.each(["layer", "copy"] as const)(
		"cannot keep Git waiting with pipes in place of files that it reads, in a %s",
		async (isolation) => {
			const change = await bench.change(
				"echo y > src/a; mkfifo .gitignore .gitattributes sub/.gitignore sub/.gitattributes; rm sub/f; mkfifo sub/f",
				{ isolation },
			);
			expect(change.files.map(({ path }) => path)).toContain("src/a");
			expect(change.files.map(({ path }) => path)).not.toContain("sub/.gitignore");
		},
	);

	it("leaves neither a hook nor a setting in a repository that a file called .git leads to", async () => {
		renameSync(join(bench.project, ".git"), join(bench.project, ".bare"));
		writeFileSync(join(bench.project, ".git"), "gitdir: ./.bare\n");
		const change = await bench.change(
			"mkdir -p .bare/hooks; echo evil > .bare/hooks/post-checkout; git config core.fsmonitor evil; echo y >> src/a",
		);
		expect(change.files).toMatchObject([{ path: "src/a" }]);
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: true });
		expect(existsSync(join(bench.project, ".bare/hooks/post-checkout"))).toBe(false);
		expect(readFileSync(join(bench.project, ".bare/config"), "utf8")).not.toContain("evil");
	});

	it("writes into no other repository, whatever bytes its name has", async () => {
		const change = await bench.change(`mkdir "$(printf 'n\\377')"; echo y > "$(printf 'n\\377')/file"`);
		mkdirSync(Buffer.concat([Buffer.from(`${bench.project}/n`), Buffer.from([0xff]), Buffer.from("/.git")]), {
			recursive: true,
		});
		expect(await applyChanges(bench, change.id)).toMatchObject({ isApplied: false });
	});

	it("covers no line of its diff on a terminal, and makes no line of its names", async () => {
		const change = await bench.change(
			`printf 'rm -rf everything\\rharmless\\n' > cover; printf x > "$(printf 'name\\nApplied deadbeef\\rNothing')"; printf '\\033]0;title\\007\\033[2Jx\\n' > escapes`,
		);
		const cli = join(import.meta.dirname, "../../dist/cli.js");
		const shown = execFileSync(
			"script",
			["-qec", `"${process.execPath}" "${cli}" changes show ${change.id}`, "/dev/null"],
			{ cwd: bench.project, env: bench.env, encoding: "utf8" },
		);
		expect(shown).toContain("rm -rf everything");
		// What the terminal itself adds to an end of line is no cover.
		const text = shown.replaceAll("\r\n", "\n");
		for (const unseen of ["\r", "\u001b", "\u0007"]) expect(text).not.toContain(unseen);
		const { stdout } = await runCli(["changes"], { cwd: bench.project, env: bench.env });
		expect(stdout).not.toMatch(/^\s*Applied deadbeef/m);
	});
});

describe.skipIf(!hasLayers)("a repository that a writer is let into", () => {
	it("does not stop this process for good with a pipe in place of its index", async () => {
		rmSync(join(bench.project, ".git/index"));
		execFileSync("mkfifo", [join(bench.project, ".git/index")]);
		await expect(bench.open()).rejects.toThrow(/is no index of Git/);
		expect(listStates(bench)).toEqual([]);
	});
});

it("a writer where no sandbox works reads and writes its copy beside the project, and nothing else", async () => {
	const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");
	const outside = join(bench.home, "outside");
	mkdirSync(outside);
	symlinkSync(outside, join(bench.project, "out"));
	bench.write("closed/key", "SECRET-IN-PROJECT");
	bench.commit();
	// Everything that is needed but a sandbox.
	const programs = join(bench.home, "programs");
	mkdirSync(programs);
	for (const name of ["git", "sh"])
		symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(programs, name));
	const subagents = { keepWarm: 0, writers: ["fixer"], unreadable: [join(bench.project, "closed")] };
	bench.write(join(bench.agentDirectory, "deputize.json"), JSON.stringify({ subagents }));
	const provider = await startScriptedProvider([
		{
			calls: [
				{ name: "write", args: { path: "ok.txt", content: "fine" } },
				{ name: "edit", args: { path: "src/a", edits: [{ oldText: "one", newText: "two" }] } },
				...["out/x", join(bench.project, "src/a"), "../../../../x", join(outside, "x")].map((path) => ({
					name: "write",
					args: { path, content: "evil" },
				})),
				{ name: "read", args: { path: "closed/key" } },
				{ name: "bash", args: { command: `touch ${outside}/x` } },
			],
		},
		finalize("Done."),
	]);
	const options = RUNTIME_ROWS.loop.configure(bench, provider);
	const env = { ...options.env, PATH: programs };
	const result = await delegate({ agent: "fixer", task: "Do it" }, { ...options, env });
	const asked = provider.requests().at(-1) ?? "";
	await provider.close();
	expect(result.details.results[0]?.confinement).toBe("tools-only");
	expect(result.details.changes?.files).toMatchObject([{ path: "ok.txt" }, { path: "src/a" }]);
	expect(asked).not.toContain("SECRET-IN-PROJECT");
	expect(readdirSync(outside)).toEqual([]);
	expect(readFileSync(join(bench.project, "src/a"), "utf8")).toBe("one\n");
});
