import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PEERS = join(import.meta.dirname, "../peers");

/** A place of its own for one run of a client. */
export interface ClientHome {
	readonly root: string;
	readonly home: string;
	readonly project: string;
	readonly port: number;
	/** The command that the client starts, and variables for it. */
	readonly server: {
		readonly command: string;
		readonly args: readonly string[];
		readonly env: Record<string, string>;
	};
}

export interface Launch {
	readonly program: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

export interface ClientDriver {
	readonly name: string;
	readonly title: string;
	readonly package: string;
	/** Writes the settings and says how to start it without a terminal. */
	headless(home: ClientHome, prompt: string): Launch;
	/** The same at a terminal, where the prompt is typed. */
	terminal(home: ClientHome): Launch;
	/** Keys that interrupt it, with a wait before each. */
	readonly interrupt: readonly { readonly key: string; readonly waitMs: number }[];
	/** Keys that say yes to the form about a project's agent, whose name is typed. Undefined: it shows no forms. */
	readonly accept?: readonly string[];
	/** Progress notifications appear on its screen. */
	readonly showsProgress: boolean;
	/** Its key for interruption reaches the server. */
	readonly passesInterrupt: boolean;
	/** Its terminal is a window onto a program of its own that goes on. */
	readonly staysResident?: true;
	/** On its screen once a prompt can be typed. */
	readonly ready: RegExp;
}

const locate = (folder: string, name: string): string => join(PEERS, folder, "node_modules/.bin", name);
const put = (file: string, content: unknown): void => {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
};
const toToml = (table: object): string =>
	Object.entries(table)
		.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
		.join("");

const ANTHROPIC_KEY = "sk-ant-scripted-000";

/** The settings below are what each client needs to run offline against the scripted model; versions in docs/clients.md. */
export const CLIENT_DRIVERS: readonly ClientDriver[] = [
	{
		name: "claude",
		title: "Claude Code",
		package: "agents/node_modules/@anthropic-ai/claude-code",
		accept: ["audit", "Down", "Enter"],
		showsProgress: true,
		passesInterrupt: true,
		ready: /❯/,
		interrupt: [{ key: "Escape", waitMs: 0 }],
		headless(home, prompt) {
			const { args, env } = prepareClaude(home);
			const output = ["-p", "--verbose", "--output-format", "stream-json"];
			return { program: locate("agents", "claude"), args: [...output, ...args, prompt], env };
		},
		terminal(home) {
			return { program: locate("agents", "claude"), ...prepareClaude(home) };
		},
	},
	{
		name: "codex",
		title: "Codex",
		package: "agents/node_modules/@openai/codex",
		accept: ["audit", "Enter"],
		staysResident: true,
		showsProgress: false,
		passesInterrupt: true,
		ready: /›/,
		interrupt: [{ key: "Escape", waitMs: 0 }],
		headless(home, prompt) {
			const args = ["exec", "--json", "--skip-git-repo-check", "-s", "read-only", prompt];
			return { program: locate("agents", "codex"), args, env: prepareCodex(home) };
		},
		terminal(home) {
			return { program: locate("agents", "codex"), args: ["-s", "read-only"], env: prepareCodex(home) };
		},
	},
	{
		name: "gemini",
		title: "Gemini CLI",
		package: "clients/node_modules/@google/gemini-cli",
		showsProgress: true,
		passesInterrupt: false,
		ready: /Type your message/,
		interrupt: [{ key: "Escape", waitMs: 0 }],
		headless(home, prompt) {
			const args = ["-m", "gemini-2.5-flash", "-o", "stream-json", "--skip-trust", "-p", prompt];
			return { program: locate("clients", "gemini"), args, env: prepareGemini(home) };
		},
		terminal(home) {
			return {
				program: locate("clients", "gemini"),
				args: ["-m", "gemini-2.5-flash"],
				env: prepareGemini(home),
			};
		},
	},
	{
		name: "copilot",
		title: "Copilot CLI",
		package: "clients/node_modules/@github/copilot",
		accept: ["audit", "Enter"],
		showsProgress: true,
		passesInterrupt: true,
		ready: /Interactive ·/,
		interrupt: [
			{ key: "Escape", waitMs: 0 },
			{ key: "Escape", waitMs: 150 },
		],
		headless(home, prompt) {
			const { args, env } = prepareCopilot(home);
			return {
				program: locate("clients", "copilot-linux-x64"),
				args: [...args, "--output-format", "json", "-p", prompt],
				env,
			};
		},
		terminal(home) {
			return { program: locate("clients", "copilot-linux-x64"), ...prepareCopilot(home) };
		},
	},
	{
		name: "opencode",
		title: "OpenCode",
		package: "clients/node_modules/opencode-ai",
		showsProgress: false,
		passesInterrupt: true,
		ready: /Ask anything|tab agents|ctrl\+p/,
		interrupt: [
			{ key: "Escape", waitMs: 0 },
			{ key: "Escape", waitMs: 600 },
		],
		headless(home, prompt) {
			return {
				program: locate("clients", "opencode"),
				args: ["run", "--format", "json", prompt],
				env: prepareOpenCode(home),
			};
		},
		terminal(home) {
			return { program: locate("clients", "opencode"), args: [home.project], env: prepareOpenCode(home) };
		},
	},
];

export function selectDriver(name: string): ClientDriver {
	const driver = CLIENT_DRIVERS.find((each) => each.name === name);
	if (driver === undefined) throw new Error(`There is no driver for ${name}.`);
	return driver;
}

function prepareClaude({ root, home, project, port, server }: ClientHome) {
	put(join(root, "mcp.json"), { mcpServers: { deputize: server } });
	put(join(home, ".claude.json"), {
		hasCompletedOnboarding: true,
		theme: "dark",
		numStartups: 5,
		customApiKeyResponses: { approved: [ANTHROPIC_KEY, ANTHROPIC_KEY.slice(-20)] },
		projects: {
			[project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
		},
	});
	const args = [
		"--mcp-config",
		join(root, "mcp.json"),
		"--strict-mcp-config",
		"--allowedTools",
		"mcp__deputize",
		"--model",
		"claude-sonnet-4-5",
	];
	const env = {
		ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
		ANTHROPIC_API_KEY: ANTHROPIC_KEY,
		DISABLE_AUTOUPDATER: "1",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
	};
	return { args, env };
}

function prepareCodex({ home, project, port, server }: ClientHome) {
	const { env, ...command } = server;
	const file = join(home, ".codex", "config.toml");
	const provider = {
		name: "scripted",
		base_url: `http://127.0.0.1:${port}/v1`,
		wire_api: "responses",
		env_key: "SCRIPTED_KEY",
	};
	put(file, toToml({ model: "gpt-5", model_provider: "scripted" }));
	appendFileSync(file, `[model_providers.scripted]\n${toToml(provider)}`);
	appendFileSync(file, `[mcp_servers.deputize]\n${toToml({ ...command, required: true })}`);
	appendFileSync(file, `[mcp_servers.deputize.env]\n${toToml(env)}`);
	appendFileSync(file, `[projects.${JSON.stringify(project)}]\n${toToml({ trust_level: "trusted" })}`);
	return { SCRIPTED_KEY: "k" };
}

function prepareGemini({ home, project, port, server }: ClientHome) {
	put(join(home, ".gemini/settings.json"), {
		security: { auth: { selectedType: "gemini-api-key" } },
		general: { disableAutoUpdate: true, disableUpdateNag: true },
		privacy: { usageStatisticsEnabled: false },
		mcpServers: { deputize: { ...server, trust: true } },
	});
	put(join(home, ".gemini/trustedFolders.json"), { [project]: "TRUST_FOLDER" });
	return {
		GEMINI_API_KEY: "scripted",
		GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
		GEMINI_TELEMETRY_ENABLED: "false",
		// Otherwise the client is two processes, and signals reach the wrong one.
		GEMINI_CLI_NO_RELAUNCH: "true",
	};
}

function prepareCopilot({ root, home, project, port, server }: ClientHome) {
	// Otherwise a question about the folder is the first thing at a terminal, and takes what is typed.
	put(join(home, ".copilot/config.json"), { trusted_folders: [project] });
	put(join(root, "mcp.json"), { mcpServers: { deputize: { type: "local", ...server, tools: ["*"] } } });
	const args = [
		"--additional-mcp-config",
		`@${join(root, "mcp.json")}`,
		"--allow-all-tools",
		"--no-auto-update",
	];
	const env = {
		COPILOT_OFFLINE: "true",
		COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
		COPILOT_PROVIDER_API_KEY: "k",
		COPILOT_MODEL: "scripted",
		COPILOT_AUTO_UPDATE: "false",
		COPILOT_HOME: join(home, ".copilot"),
	};
	return { args, env };
}

function prepareOpenCode({ project, port, server }: ClientHome) {
	const { command, args, env } = server;
	put(join(project, "opencode.json"), {
		autoupdate: false,
		share: "disabled",
		provider: {
			scripted: {
				npm: "@ai-sdk/openai-compatible",
				name: "scripted",
				options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "k" },
				models: { scripted: { name: "scripted" } },
			},
		},
		model: "scripted/scripted",
		small_model: "scripted/scripted",
		mcp: { deputize: { type: "local", command: [command, ...args], enabled: true, environment: env } },
	});
	return { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
}
