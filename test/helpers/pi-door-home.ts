import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stagePackage } from "./pi-door-package.ts";
import { OLDER_PI } from "./pi-door-versions.ts";
import { testDirectory } from "./test-directory.ts";

/** The `pi` these tests drive unless they say otherwise: the real, bundled one. */
export const PI_SCRIPT = OLDER_PI.script;
/** What `pi.extensions` in package.json points at. */
export const EXTENSION = stagePackage().extension;
export const MODEL = "scripted/model-1";

/** A home, an agent directory and a project of its own, so that nothing of the machine is seen or touched. */
export interface PiHome {
	readonly root: string;
	readonly home: string;
	readonly agentDirectory: string;
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
	write(path: string, text: string): string;
	/** Ends only. */
	readJournal(): readonly Readonly<Record<string, unknown>>[];
	remove(): void;
}

export interface PiHomeConfig {
	readonly subagents?: object;
	readonly [part: string]: unknown;
}

export function createPiHome(
	baseUrl: string,
	options: {
		readonly config?: PiHomeConfig;
		readonly settings?: object;
		/** Also children that wait for a call nobody has made yet, as users have them: each costs a whole boot of pi. */
		readonly waitingChildren?: boolean;
	} = {},
): PiHome {
	const root = mkdtempSync(join(tmpdir(), "deputize-pi-door-"));
	const home = join(root, "home");
	const agentDirectory = join(home, ".pi", "agent");
	const project = join(root, "project");
	const write = (path: string, text: string): string => {
		const file = join(root, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	};
	mkdirSync(join(project, ".git"), { recursive: true });
	mkdirSync(agentDirectory, { recursive: true });
	mkdirSync(join(root, "tmp"));
	// pi's loader keeps transformed extensions in the temporary directory: shared by the run, like the compile cache below.
	mkdirSync(join(testDirectory(), "jiti"), { recursive: true });
	symlinkSync(join(testDirectory(), "jiti"), join(root, "tmp", "jiti"));
	write("home/.pi/agent/models.json", JSON.stringify({ providers: { scripted: describeProvider(baseUrl) } }));
	write(
		"home/.pi/agent/settings.json",
		JSON.stringify({ quietStartup: true, lastChangelogVersion: "99.0.0", ...options.settings }),
	);
	const config = options.waitingChildren
		? options.config
		: { ...options.config, subagents: { keepWarm: 0, ...options.config?.subagents } };
	if (config !== undefined) write("home/.pi/agent/deputize.json", JSON.stringify(config));
	return {
		root,
		home,
		agentDirectory,
		project,
		write,
		env: {
			PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
			HOME: home,
			TMPDIR: join(root, "tmp"),
			// One cache for all homes: compiling pi again for every test would cost a second each time.
			NODE_COMPILE_CACHE: join(testDirectory(), "node-compile-cache"),
			PI_CODING_AGENT_DIR: agentDirectory,
			PI_OFFLINE: "1",
			PI_SKIP_VERSION_CHECK: "1",
			LANG: "C.UTF-8",
		},
		readJournal: () =>
			readLines(join(agentDirectory, "deputize", "journal.jsonl")).filter(({ event }) => event !== "start"),
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

function describeProvider(baseUrl: string): unknown {
	return {
		baseUrl,
		api: "openai-completions",
		apiKey: "scripted-key",
		models: [
			{
				id: "model-1",
				name: "Scripted",
				reasoning: false,
				input: ["text"],
				contextWindow: 200_000,
				maxTokens: 8000,
				cost: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 },
			},
		],
	};
}

function readLines(file: string): readonly Readonly<Record<string, unknown>>[] {
	try {
		return readFileSync(file, "utf8")
			.split("\n")
			.filter(Boolean)
			.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
	} catch {
		return [];
	}
}
