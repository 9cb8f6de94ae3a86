import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { collectChanges } from "../../src/changes/collect-changes.ts";
import type { LayerOptions } from "../../src/changes/layer.ts";
import { type OpenedLayer, openLayer } from "../../src/changes/open-layer.ts";
import type { ChangeSet } from "../../src/contract/changes.ts";
import { type CommandEnding, runCommand } from "../../src/process/run-command.ts";
import { wrap } from "../../src/sandbox/wrap.ts";
import { createTestHome, type TestHome } from "./test-home.ts";

/** A project with a repository, and children that are shell scripts. */
export interface ChangeBench extends TestHome {
	git(...args: string[]): string;
	commit(): void;
	open(options?: Partial<LayerOptions>): Promise<OpenedLayer>;
	/** Runs a script as a child in a layer. */
	work(layer: OpenedLayer, script: string): Promise<CommandEnding>;
	/** A whole run: opened, worked in, collected. */
	change(script: string, options?: Partial<LayerOptions>): Promise<ChangeSet>;
}

const ORIGIN = { agent: "fixer", task: "Make it right", runId: "12345678" };

export function createChangeBench(files: Readonly<Record<string, string>> = {}): ChangeBench {
	const home = createTestHome(files);
	const git = (...args: string[]): string =>
		execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
			cwd: home.project,
			env: { ...home.env, GIT_CONFIG_NOSYSTEM: "1" },
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});
	const open: ChangeBench["open"] = (options = {}) =>
		openLayer({
			...{ env: home.env, agentDirectory: home.agentDirectory, directory: home.project, origin: ORIGIN },
			...options,
		});
	const work: ChangeBench["work"] = async (layer, script) => {
		if (!layer.probe.works || layer.mount === undefined) throw new Error("There is no sandbox.");
		const command = { command: "/bin/bash", args: ["-euc", script] };
		const policy = { view: "machine", network: "none", calls: "own-no-sockets" } as const;
		const ending = await runCommand({
			...wrap(command, { ...policy, cwd: layer.directory, layer: layer.mount }, layer.probe.sandbox),
			...{ cwd: "/", env: { PATH: home.env["PATH"] ?? "", HOME: "/nowhere" } },
			...{ timeoutMs: 60_000, maxStdoutBytes: 1024 * 1024 },
		});
		if (ending.exitCode !== 0) throw new Error(`exit ${ending.exitCode}: ${ending.stderr}`);
		return ending;
	};
	return {
		...home,
		git,
		commit() {
			git("add", "-A");
			git("commit", "-qm", "as it was");
		},
		open,
		work,
		async change(script, options) {
			const layer = await open(options);
			await work(layer, script);
			const change = await collectChanges(layer);
			if (change === undefined) throw new Error("Nothing was changed.");
			return change;
		},
	};
}

/** Everything below a directory but its repository: kind, rights and content by the bytes of its name. Times do not count. */
export function readTree(directory: string): Record<string, string> {
	const seen: Record<string, string> = {};
	const visit = (at: Buffer, prefix: string): void => {
		for (const name of readdirSync(at, { encoding: "buffer" })) {
			const raw = prefix + name.toString("latin1");
			const path = Buffer.concat([at, Buffer.from("/"), name]);
			const entry = lstatSync(path);
			if (raw === ".git") continue;
			const content = entry.isFile()
				? readFileSync(path, "latin1")
				: entry.isSymbolicLink()
					? readlinkSync(path, "latin1")
					: "";
			seen[raw] = `${entry.mode.toString(8)} ${content}`;
			if (entry.isDirectory()) visit(path, `${raw}/`);
		}
	};
	visit(Buffer.from(directory), "");
	return seen;
}

export function listStates({ agentDirectory }: TestHome): readonly string[] {
	const directory = join(agentDirectory, "deputize", "changes");
	return readdirSync(directory).filter((name) => !name.endsWith(".lock"));
}
