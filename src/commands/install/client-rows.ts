import { join } from "node:path";
import type { Environment, JsonObject } from "@deputize/ground";

/** How the server is started: a program and its arguments. */
export interface ServerCommand {
	readonly command: string;
	readonly args: readonly string[];
}

export interface InstallPlace {
	readonly home: string;
	readonly cwd: string;
	readonly env: Environment;
	readonly platform: NodeJS.Platform;
}

export interface ClientRow {
	/** What a person types. */
	readonly name: string;
	readonly title: string;
	readonly format: "json" | "toml";
	locate(place: InstallPlace): string;
	/** Where in the file the entry is. */
	readonly path: readonly string[];
	toEntry(server: ServerCommand): JsonObject;
	/** What there is to know afterwards. */
	readonly hint?: string;
}

/** Where programs keep their settings on this system by default. */
function configHome({ env, home }: InstallPlace): string {
	return env["XDG_CONFIG_HOME"] || join(home, ".config");
}

const plain = ({ command, args }: ServerCommand): JsonObject => ({ command, args });

/** One row for each client. The entries of the first five were tried with the real client; the others are taken from its manual. */
export const CLIENT_ROWS: readonly ClientRow[] = [
	{
		name: "claude",
		title: "Claude Code",
		format: "json",
		locate: ({ home, env }) => join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
		path: ["mcpServers", "deputize"],
		toEntry: (server) => ({ type: "stdio", ...plain(server), env: {} }),
	},
	{
		name: "codex",
		title: "Codex",
		format: "toml",
		locate: ({ home, env }) => join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
		path: ["mcp_servers", "deputize"],
		// Without `required` Codex begins without a server that needs more than a second to start.
		toEntry: (server) => ({ ...plain(server), required: true }),
		hint: 'Codex hands no keys to servers. For a child that needs one add env_vars = ["ANTHROPIC_API_KEY"] to the entry.',
	},
	{
		name: "copilot",
		title: "Copilot CLI",
		format: "json",
		locate: ({ home, env }) => join(env["COPILOT_HOME"] || join(home, ".copilot"), "mcp-config.json"),
		path: ["mcpServers", "deputize"],
		toEntry: (server) => ({ type: "local", ...plain(server), tools: ["*"] }),
		hint: 'Copilot CLI hands no provider keys to servers. For a child that needs one add "env": { "ANTHROPIC_API_KEY": "$ANTHROPIC_API_KEY" } to the entry.',
	},
	{
		name: "opencode",
		title: "OpenCode",
		format: "json",
		locate: (place) => join(configHome(place), "opencode", "opencode.json"),
		path: ["mcp", "deputize"],
		toEntry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
	},
	{
		name: "gemini",
		title: "Gemini CLI",
		format: "json",
		locate: ({ home }) => join(home, ".gemini", "settings.json"),
		path: ["mcpServers", "deputize"],
		// The tool only reads; without trust every call is asked about, and refused where nobody can be asked.
		toEntry: (server) => ({ ...plain(server), trust: true }),
		hint: 'Gemini CLI hands no keys to servers. For a child that needs one add "env": { "GEMINI_API_KEY": "$GEMINI_API_KEY" } to the entry.',
	},
	{
		name: "vscode",
		title: "VS Code (this project)",
		format: "json",
		locate: ({ cwd }) => join(cwd, ".vscode", "mcp.json"),
		path: ["servers", "deputize"],
		toEntry: (server) => ({ type: "stdio", ...plain(server) }),
	},
	{
		name: "cursor",
		title: "Cursor",
		format: "json",
		locate: ({ home }) => join(home, ".cursor", "mcp.json"),
		path: ["mcpServers", "deputize"],
		toEntry: plain,
	},
	{
		name: "zed",
		title: "Zed",
		format: "json",
		locate: (place) =>
			place.platform === "win32"
				? join(place.env["APPDATA"] || place.home, "Zed", "settings.json")
				: join(configHome(place), "zed", "settings.json"),
		path: ["context_servers", "deputize"],
		toEntry: (server) => ({ ...plain(server), env: {} }),
	},
];
