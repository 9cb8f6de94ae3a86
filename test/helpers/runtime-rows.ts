import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimeName } from "../../src/contract/agent.ts";
import type { DelegateOptions } from "../../src/delegation/delegate-options.ts";
import {
	type ApiName,
	modelsFile,
	SCRIPTED,
	SCRIPTED_MODEL,
	type ScriptedProvider,
	type ScriptedTurn,
} from "./scripted-provider.ts";
import type { TestHome } from "./test-home.ts";

/** Where `npm test` installs the programs of other agents. */
export const PROGRAM_DIRECTORY = fileURLToPath(new URL("../peers/agents/node_modules/.bin", import.meta.url));

type Call = NonNullable<ScriptedTurn["calls"]>[number];

interface Answer {
	readonly status: string;
	readonly result?: string;
	readonly error?: string;
	readonly data?: unknown;
}

/** What differs between the runtimes for a model that works in them, and nothing else does. */
export interface RuntimeRow {
	readonly api: ApiName;
	readonly provider: string;
	/** Reads a file of the project. */
	read(home: TestHome, file: string): Call;
	/** Three ways to make a file of this name in the project. */
	write(home: TestHome, file: string): readonly [Call, Call, Call];
	handOver(answer: Answer): ScriptedTurn;
	/** Calls a tool of ours that a child in a layer has. */
	callOurs(name: string, args: Call["args"]): Call;
	configure(home: TestHome, provider: ScriptedProvider): DelegateOptions;
	/** Dollars for 300 tokens in and 30 out; undefined where the price is the program's own matter. */
	readonly cost?: number;
	/** Dollars for 200 tokens in; undefined where nobody knows. */
	readonly turnCost?: number;
	/** It tells what it spent at its end only. */
	readonly tellsSpendingLast?: true;
	/** It does not tell where a turn begins. */
	readonly guessesTurns?: true;
}

const OWN_WRITES = (file: string): readonly [Call, Call, Call] => [
	{ name: "write", args: { path: file, content: "x" } },
	{ name: "edit", args: { path: file, edits: [{ oldText: "", newText: "x" }] } },
	{ name: "bash", args: { command: `touch ${file}` } },
];

const OWN = {
	api: "openai-completions",
	provider: "scripted",
	read: (_home: TestHome, file: string): Call => ({ name: "read", args: { path: file } }),
	write: (_home: TestHome, file: string) => OWN_WRITES(file),
	handOver: (answer: Answer): ScriptedTurn => ({
		calls: [{ name: "subagent_finalize", args: { ...answer } }],
	}),
	callOurs: (name: string, args: Call["args"]): Call => ({ name, args }),
	cost: (300 * 1 + 30 * 2) / 1e6,
	turnCost: 200 / 1e6,
} as const;

const shell = (cmd: string): Call => ({ name: "exec_command", args: { cmd } });

export const RUNTIME_ROWS: Readonly<Record<RuntimeName, RuntimeRow>> = {
	pi: {
		...OWN,
		configure(home, provider) {
			home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
			return { cwd: home.project, env: home.env, ...SCRIPTED, runtime: "pi" };
		},
	},
	loop: {
		...OWN,
		configure: (home, provider) => ({
			cwd: home.project,
			runtime: "loop",
			model: SCRIPTED_MODEL,
			env: {
				...home.env,
				DEPUTIZE_LOOP_URL: `${provider.baseUrl}/chat/completions`,
				DEPUTIZE_LOOP_PRICE: "1,2,0,0",
			},
		}),
	},
	claude: {
		api: "anthropic-messages",
		provider: "anthropic",
		// Claude Code's own price for Sonnet 4.5.
		turnCost: (200 * 3) / 1e6,
		read: (home, file) => ({ name: "Read", args: { file_path: join(home.project, file) } }),
		write: (home, file) => [
			{ name: "Write", args: { file_path: join(home.project, file), content: "x" } },
			{ name: "Edit", args: { file_path: join(home.project, file), old_string: "", new_string: "x" } },
			{ name: "Bash", args: { command: `touch ${file}` } },
		],
		callOurs: (name, args) => ({ name: `mcp__deputize__${name}`, args }),
		handOver: (answer) => ({
			calls: [{ name: "StructuredOutput", args: { result: "", error: "", ...answer } }],
		}),
		configure: (home, provider) => ({
			cwd: home.project,
			runtime: "claude",
			model: "anthropic/claude-sonnet-4-5",
			env: {
				...withPrograms(home.env),
				ANTHROPIC_BASE_URL: provider.baseUrl,
				ANTHROPIC_API_KEY: "scripted-key-not-secret",
				CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			},
		}),
	},
	codex: {
		api: "openai-responses",
		provider: "openai",
		read: (_home, file) => shell(`cat ${file}`),
		write: (_home, file) => [
			shell(`touch ${file}`),
			shell(`apply_patch '*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch\n'`),
			shell(`python3 -c 'open("${file}", "w")' || cp /etc/hostname ${file}`),
		],
		callOurs: (name, args) => ({ name: `mcp__deputize__${name}`, args }),
		handOver: (answer) => ({ text: JSON.stringify({ result: "", error: "", ...answer }) }),
		configure(home, provider) {
			home.write(
				join(home.home, ".codex", "config.toml"),
				[
					'model_provider = "scripted"',
					'model = "gpt-5.5"',
					"[mcp_servers.users-own]",
					'command = "touch"',
					`args = ["${join(home.home, "server-was-started")}"]`,
					"[model_providers.scripted]",
					'name = "scripted"',
					`base_url = "${provider.baseUrl}"`,
					'wire_api = "responses"',
					'env_key = "SCRIPTED_KEY"',
					"",
				].join("\n"),
			);
			return {
				cwd: home.project,
				runtime: "codex",
				model: "openai/gpt-5.5",
				env: { ...withPrograms(home.env), SCRIPTED_KEY: "scripted-key-not-secret" },
			};
		},
		cost: 0,
		tellsSpendingLast: true,
		guessesTurns: true,
	},
};

function withPrograms(env: Record<string, string>): Record<string, string> {
	return { ...env, PATH: [PROGRAM_DIRECTORY, env["PATH"]].join(delimiter) };
}
