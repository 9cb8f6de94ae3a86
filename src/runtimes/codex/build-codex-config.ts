import { join } from "node:path";
import type { UserPlace } from "../../config/read-surroundings.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { findOutermost } from "../../process/build-sandbox.ts";
import { listMasks } from "../list-masks.ts";
import { toCodexTools } from "./codex-tools.ts";
import { listDeniedPlaces } from "./list-denied-places.ts";
import type { CodexSettings } from "./select-codex-settings.ts";

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

/** The `config.toml` of a child: its directory is empty otherwise, and so are the servers, rules and notes it loads. */
export function buildCodexConfig(
	plan: ChildPlan,
	options: {
		readonly surroundings: UserPlace;
		readonly settings: CodexSettings;
		readonly model: string | undefined;
		readonly program: string;
		/** The child's own. */
		readonly codexHome: string;
	},
): string {
	const { settings, model } = options;
	const { shell, webSearch } = toCodexTools(plan.tools);
	const effort =
		EFFORTS.find((level) => level === plan.thinkingLevel) ??
		(plan.thinkingLevel === "max" ? "xhigh" : undefined);
	const replaced = [...(model ? ["model"] : []), ...(effort ? ["model_reasoning_effort"] : [])];
	const off = [...FEATURES_OFF, ...(shell ? [] : ["shell_tool", "unified_exec"])];
	return [
		...settings.top.filter((line) => !replaced.some((key) => new RegExp(`^"?${key}"?\\s*=`).test(line))),
		...(model ? [`model = ${toToml(model)}`] : []),
		...(effort ? [`model_reasoning_effort = ${toToml(effort)}`] : []),
		`developer_instructions = ${toToml(buildInstructions(plan))}`,
		'approval_policy = "never"',
		`web_search = ${toToml(webSearch ? "live" : "disabled")}`,
		"project_doc_max_bytes = 0",
		"check_for_update_on_startup = false",
		...(plan.mayWrite ? ['sandbox_mode = "workspace-write"'] : [`default_permissions = "${PROFILE}"`]),
		"[features]",
		...off.map((name) => `${name} = false`),
		"[skills]",
		"include_instructions = false",
		"[skills.bundled]",
		"enabled = false",
		"[shell_environment_policy]",
		// Without the key of the provider.
		'inherit = "core"',
		...(plan.mayWrite ? [] : describePermissions(plan, options)),
		...settings.tables,
		"",
	].join("\n");
}

function buildInstructions({ systemPrompt, agent }: ChildPlan): string {
	if (agent.output === undefined) return systemPrompt;
	return `${systemPrompt}\n- The JSON object has a field data, too. Its schema: ${JSON.stringify(agent.output)}`;
}

/** Everything except the closed places may be read, nothing may be written, and there is no network. */
function describePermissions(
	plan: ChildPlan,
	options: Pick<Parameters<typeof buildCodexConfig>[1], "surroundings" | "program" | "codexHome">,
): readonly string[] {
	const masks = listMasks(plan, { ...options.surroundings, programs: [options.program] });
	// Codex starts its sandbox from a directory of its own.
	const open = [...masks.shownPlaces, join(options.codexHome, "tmp")];
	return [
		`[permissions.${PROFILE}.filesystem]`,
		'":root" = "read"',
		...[
			...listDeniedPlaces(findOutermost(masks.maskedPlaces), open),
			...OWN_SECRETS.map((name) => join(options.codexHome, name)),
		].map((path) => `${toToml(path)} = "deny"`),
		`[permissions.${PROFILE}.network]`,
		"enabled = false",
	];
}

/** A basic string in TOML is a JSON string, except for lone surrogates and one control character. */
function toToml(text: string): string {
	return JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
}
