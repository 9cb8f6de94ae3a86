import { join } from "node:path";
import { defined, type JsonObject } from "@deputize/ground";
import { stringify } from "smol-toml";
import type { UserPlace } from "../../config/read-surroundings.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { listMasks } from "../list-masks.ts";
import { TOOL_SERVER, type ToolServer } from "../program/tool-server.ts";
import { toCodexTools } from "./codex-tools.ts";
import { listDeniedPlaces } from "./list-denied-places.ts";
import type { CodexSettings } from "./select-codex-settings.ts";

/** A machine can be busy when it starts, and a command may take its ten minutes. */
const SERVER_LIMITS = { startup_timeout_sec: 60, tool_timeout_sec: 660 };

/** Name of the permissions that the commands of a child run with. */
const PROFILE = "deputize";

/** What a child must not have: other agents, servers, skills, hooks, memories, images, and endless waiting for a network. */
const FEATURES_OFF = [
	...["multi_agent", "skill_search", "goals", "memories", "hooks", "plugins", "remote_plugin", "apps"],
	...["tool_suggest", "view_image", "image_generation", "sleep_tool", "shell_snapshot", "daemon_auto_start"],
	...["browser_use", "computer_use", "unbounded_connection_retries"],
];
/** In the child's own directory, written after these permissions: headers and tokens of providers, and the login. */
const OWN_SECRETS = ["config.toml", "auth.json"];
const EFFORTS = ["minimal", "low", "medium", "high", "xhigh"];

interface CodexPlace {
	readonly surroundings: UserPlace;
	readonly program: string;
	/** The child's own. */
	readonly codexHome: string;
}

/** The `config.toml` of a child: its directory is empty otherwise, and so are the servers, rules and notes it loads. */
export function buildCodexConfig(
	plan: ChildPlan,
	options: CodexPlace & {
		readonly settings: CodexSettings;
		readonly model: string | undefined;
		readonly toolServer?: ToolServer | undefined;
	},
): string {
	const { settings, model, toolServer } = options;
	const { shell, webSearch } = toCodexTools(plan);
	const effort =
		EFFORTS.find((level) => level === plan.thinkingLevel) ??
		(plan.thinkingLevel === "max" ? "xhigh" : undefined);
	const off = [...FEATURES_OFF, ...(shell ? [] : ["shell_tool", "unified_exec"])];
	return stringify({
		...settings.values,
		...defined({ model, model_reasoning_effort: effort }),
		developer_instructions: buildInstructions(plan),
		approval_policy: "never",
		web_search: webSearch ? "live" : "disabled",
		project_doc_max_bytes: 0,
		check_for_update_on_startup: false,
		features: Object.fromEntries(off.map((name) => [name, false])),
		skills: { include_instructions: false, bundled: { enabled: false } },
		// Without the key of the provider; a command that starts deputize again is told that it is in a child.
		shell_environment_policy: { inherit: "core", set: { PI_SUBAGENT_DEPTH: String(plan.depth + 1) } },
		...(toolServer === undefined
			? {}
			: { mcp_servers: { [TOOL_SERVER]: { ...toolServer, ...SERVER_LIMITS } } }),
		...(plan.mayWrite || plan.worksInLayer
			? { sandbox_mode: plan.mayWrite ? "workspace-write" : "danger-full-access" }
			: { default_permissions: PROFILE, permissions: { [PROFILE]: describePermissions(plan, options) } }),
	});
}

function buildInstructions({ systemPrompt, agent }: ChildPlan): string {
	if (agent.output === undefined) return systemPrompt;
	return `${systemPrompt}\n- The JSON object has a field data, too. Its schema: ${JSON.stringify(agent.output)}`;
}

/** Everything except the closed places may be read, nothing may be written, and there is no network. */
function describePermissions(plan: ChildPlan, options: CodexPlace): JsonObject {
	const masks = listMasks(plan, { ...options.surroundings, programs: [options.program] });
	// Codex starts its sandbox from a directory of its own.
	const open = [...masks.readable, join(options.codexHome, "tmp")];
	const denied = [
		...listDeniedPlaces(masks.hidden, open),
		...OWN_SECRETS.map((name) => join(options.codexHome, name)),
	];
	return {
		filesystem: {
			":root": "read",
			...Object.fromEntries(denied.flatMap(toDenied).map((path) => [path.toWellFormed(), "deny"])),
		},
		network: { enabled: false },
	};
}

/** Codex takes a path with one of the first three for a pattern, and a pattern for a directory says nothing about its files. */
function toDenied(path: string): readonly string[] {
	if (!/[*?[]/.test(path)) return [path];
	const pattern = path.replace(/[*?[\]{}\\]/g, "[$&]");
	return [pattern, `${pattern}/**`];
}
