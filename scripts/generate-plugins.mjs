// Writes what other programs install deputize by: plugins/ and server.json. All of it says the same things in the words
// of different programs, so it has one source: package.json and the values below.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./install-dependencies.mjs";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { name, version, license, mcpName, engines } = manifest;
const DESCRIPTION = "Delegate a focused task to a read-only specialist agent and get back one answer.";
const TITLE = "Subagents by deputize";
const SERVER = { command: "deputize", args: ["mcp"] };
const SERVERS = { mcpServers: { deputize: SERVER } };
/** For hosts of bundles that start the entry point instead of the command. */
const LAUNCHER = `import { spawn } from "node:child_process";

const server = spawn("deputize", ["mcp"], { stdio: "inherit" });
server.on("error", () => {
	process.stderr.write("deputize is not installed: npm install -g deputize\\n");
	process.exitCode = 1;
});
server.on("exit", (code) => {
	process.exitCode = code ?? 1;
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => server.kill(name));
`;

const FILES = {
	// Claude Code, Codex and Copilot CLI read these three as they are.
	"plugins/.claude-plugin/marketplace.json": {
		name,
		description: DESCRIPTION,
		owner: { name },
		plugins: [{ name, source: `./${name}`, description: DESCRIPTION, version }],
	},
	"plugins/deputize/.claude-plugin/plugin.json": {
		name,
		version,
		description: DESCRIPTION,
		author: { name },
		license,
		keywords: ["subagent", "delegation", "mcp"],
	},
	"plugins/deputize/.mcp.json": SERVERS,
	"plugins/gemini/gemini-extension.json": { name, version, description: DESCRIPTION, ...SERVERS },
	"plugins/mcpb/manifest.json": {
		manifest_version: "0.3",
		name,
		display_name: TITLE,
		version,
		description: DESCRIPTION,
		author: { name },
		license,
		server: { type: "node", entry_point: "server/index.mjs", mcp_config: SERVER },
		tools: [{ name: "subagent", description: "Run a specialist agent on one task and get its final answer" }],
		prompts_generated: true,
		compatibility: { runtimes: { node: engines.node } },
	},
	"plugins/mcpb/server/index.mjs": LAUNCHER,
	"server.json": {
		$schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		name: mcpName,
		title: TITLE,
		description: DESCRIPTION,
		version,
		packages: [
			{
				registryType: "npm",
				identifier: name,
				version,
				transport: { type: "stdio" },
				packageArguments: [{ type: "positional", value: "mcp" }],
			},
		],
	},
};

/** Path to text, as it has to be. */
export function renderPlugins() {
	return Object.entries(FILES).map(([path, content]) => ({
		path,
		text: typeof content === "string" ? content : `${JSON.stringify(content, null, "\t")}\n`,
	}));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	for (const { path, text } of renderPlugins()) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}
