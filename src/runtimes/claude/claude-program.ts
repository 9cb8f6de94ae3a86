import { join } from "node:path";
import { asObject, type JsonObject } from "@deputize/ground";
import { listProviderVariables } from "../../config/provider-variables.ts";
import { isLoginToken, type LoginFormat } from "../lend-login-file.ts";
import type { AgentProgram } from "../program/agent-program.ts";
import { toOwnModel } from "../program/to-own-model.ts";
import { TOOL_SERVER } from "../program/tool-server.ts";
import { CLAUDE_LOGIN_VARIABLE, findNamedClaudeDirectory } from "../program-logins.ts";
import { buildClaudeArguments } from "./build-claude-arguments.ts";
import { CLAUDE_SERVED, nameClaudeTools } from "./claude-tools.ts";
import { createClaudeReader } from "./read-claude-events.ts";

/** Who answers, and what the user decided about telemetry. Clouds bring the variables of their own logins. */
const NAMES = [
	...listProviderVariables("anthropic"),
	...["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "API_TIMEOUT_MS"],
	...["ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL"],
	...["DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"],
	...["CLAUDE_CODE_MAX_RETRIES", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"],
];
const CLOUDS: Readonly<Record<string, readonly string[]>> = {
	CLAUDE_CODE_USE_BEDROCK: [...listProviderVariables("amazon-bedrock"), "ANTHROPIC_BEDROCK_BASE_URL"],
	CLAUDE_CODE_USE_VERTEX: [
		...listProviderVariables("google-vertex"),
		...["CLOUD_ML_REGION", "ANTHROPIC_VERTEX_PROJECT_ID", "ANTHROPIC_VERTEX_BASE_URL"],
	],
	CLAUDE_CODE_USE_FOUNDRY: [
		...["ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_FOUNDRY_API_KEY"],
	],
};

const SERVERS = "servers.json";

export const CLAUDE_PROGRAM: AgentProgram = {
	name: "claude",
	title: "Claude Code",
	packageName: "@anthropic-ai/claude-code",
	tested: {
		version: "2.1.325",
		help: ["--help"],
		options: [
			...["--input-format", "--output-format", "--include-partial-messages", "--tools", "--allowedTools"],
			...["--setting-sources", "--strict-mcp-config", "--disable-slash-commands", "--restricted"],
			...["--permission-mode", "--permission-prompts", "--settings", "--add-dir", "--json-schema"],
			...["--effort", "--max-budget-usd", "--session-id", "--resume"],
		],
	},
	sandbox: "ours",
	servedKinds: CLAUDE_SERVED,
	// A Claude Code that we run inside marks its children; this child is not part of that session.
	ownNames:
		/^(?:CLAUDECODE|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|SSE_PORT|MESSAGING_\w+))$/,
	login: { isInHome: false, format: createClaudeLogin() },
	describe(plan, place, { surroundings, resumes, isLent, toolServer }) {
		const { env } = surroundings;
		const clouds = Object.keys(CLOUDS).filter((name) => Boolean(env[name]));
		return {
			args: buildClaudeArguments(plan, place, {
				surroundings,
				resumes,
				servers: toolServer && join(place.home, SERVERS),
				model: toOwnModel(plan.model, CLAUDE_PROGRAM),
			}),
			passedNames: [...NAMES, ...clouds, ...clouds.flatMap((name) => CLOUDS[name] ?? [])],
			set: {
				CLAUDE_CONFIG_DIR: place.home,
				// Empty means the place of the user's own login, which on macOS is the keychain.
				[CLAUDE_LOGIN_VARIABLE]: isLent ? place.loginDirectory : findNamedClaudeDirectory(surroundings),
				DISABLE_AUTOUPDATER: "1",
			},
			files: toolServer ? { [SERVERS]: JSON.stringify({ mcpServers: { [TOOL_SERVER]: toolServer } }) } : {},
		};
	},
	writeTask: (task) =>
		`${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text: task }] } })}\n`,
	toolResultTypes: ["user"],
	createReader: (plan, spent) => createClaudeReader({ granted: nameClaudeTools(plan), spent }),
};

function createClaudeLogin(): LoginFormat {
	const key = "claudeAiOauth";
	const readLogin = (logins: JsonObject): JsonObject => asObject(logins[key]);
	return {
		// Logins of the user's MCP servers are in the same file.
		select: (logins) => (key in logins ? { [key]: logins[key] } : {}),
		endsAt(logins) {
			const { expiresAt } = readLogin(logins);
			return typeof expiresAt === "number" ? expiresAt : Number.POSITIVE_INFINITY;
		},
		takeBack(real, copy) {
			const { accessToken, refreshToken, expiresAt } = readLogin(copy);
			const isNewer = typeof expiresAt === "number" && expiresAt > Number(readLogin(real)["expiresAt"] ?? 0);
			if (!isNewer || !isLoginToken(accessToken) || !isLoginToken(refreshToken)) return undefined;
			return { ...real, [key]: { ...readLogin(real), accessToken, refreshToken, expiresAt } };
		},
	};
}
