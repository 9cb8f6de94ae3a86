import type { AgentDefinition } from "../contract/agent.ts";
import { type DeputizeConfig, PRIVILEGED_LSP_ACTIONS } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import { listAgentTools } from "../toolbox/tool-rows.ts";

/** What the parent has, as far as a host knows. Outside of pi there is no parent and pi's own tools are assumed. */
export interface ParentTools {
	/** Every tool that can be granted, with the extension file it comes from; undefined for built-in ones. */
	readonly known: ReadonlyMap<string, string | undefined>;
	readonly active: readonly string[];
}

export interface GrantedTools {
	/** The exact allow list of the child; may be empty, which means no tools. */
	readonly tools: readonly string[];
	/** Extension files the granted tools come from. */
	readonly extensions: readonly string[];
	readonly lspActions: readonly string[];
	readonly mayWrite: boolean;
	/** Declared by the agent and not granted, for reports. */
	readonly withheld: readonly string[];
}

const FILE_TOOLS = listAgentTools("files");
const LSP_TOOL = "lsp";
/** pi's own. */
const WRITING_BUILTIN = ["bash", "edit", "write"];
/** Of the parent or internal: no child ever gets these, not even by name. */
const NEVER = ["subagent", "call_subagent", FINALIZE_TOOL];

/** pi's built-in tools and this package's own: what exists when no host says more. */
export const DEFAULT_PARENT_TOOLS: ParentTools = createParentTools();

function createParentTools(): ParentTools {
	const names = [...FILE_TOOLS, ...WRITING_BUILTIN, ...listAgentTools("web", "convert", "lsp")];
	return { known: new Map(names.map((name) => [name, undefined])), active: names };
}

/** Every tool a readonly agent may have under this configuration. */
export function listReadonlyTools(config: DeputizeConfig): readonly string[] {
	return [
		...FILE_TOOLS,
		...(config.web.enabled ? listAgentTools("web") : []),
		...(config.convert.enabled ? listAgentTools("convert") : []),
		...(config.lsp.enabled && config.subagents.allowLspTools && lspActionsOf(config).length > 0
			? [LSP_TOOL]
			: []),
	];
}

/** Keeps what a readonly agent may have. Anything not known to only read is dropped. */
export function filterToolsForReadonly(tools: readonly string[], config: DeputizeConfig): readonly string[] {
	const allowed = listReadonlyTools(config);
	return tools.filter((tool) => allowed.includes(tool));
}

/** Decides the tool list of a child: what the agent asks for, cut down to what the configuration allows. */
export function grantTools(
	agent: AgentDefinition,
	config: DeputizeConfig,
	parent: ParentTools,
): GrantedTools {
	const writesAllowed = config.subagents.allowWrite && !agent.readonly;
	const wanted = listWanted(agent, config, parent, writesAllowed);
	const grantable = wanted.filter((tool) => !NEVER.includes(tool));
	const tools = writesAllowed
		? dropSwitchedOff(grantable, config)
		: filterToolsForReadonly(grantable, config);
	const extensions = tools.map((tool) => parent.known.get(tool)).filter((file) => file !== undefined);
	return {
		tools,
		extensions: [...new Set(extensions)],
		lspActions: tools.includes(LSP_TOOL) ? lspActionsOf(config) : [],
		mayWrite: tools.some((tool) => !listReadonlyTools(config).includes(tool)),
		withheld: agent.tools.kind === "allow" ? wanted.filter((tool) => !tools.includes(tool)) : [],
	};
}

function listWanted(
	agent: AgentDefinition,
	config: DeputizeConfig,
	parent: ParentTools,
	writesAllowed: boolean,
): readonly string[] {
	const rule = agent.tools;
	if (rule.kind === "default") return writesAllowed ? parent.active : listReadonlyTools(config);
	const unknown = rule.names.filter((name) => !parent.known.has(name) && !NEVER.includes(name));
	if (unknown.length > 0) {
		throw new DelegationError(
			"INVALID_INPUT",
			`The agent ${agent.name} names unknown tool${unknown.length > 1 ? "s" : ""} ${unknown.map((name) => JSON.stringify(name)).join(", ")} in ${agent.toolsFrom ?? agent.file}. Known tools: ${[...parent.known.keys()].join(", ")}.`,
		);
	}
	if (rule.kind === "allow") return rule.names;
	return parent.active.filter((name) => !rule.names.includes(name));
}

function dropSwitchedOff(tools: readonly string[], config: DeputizeConfig): readonly string[] {
	const allowed = listReadonlyTools(config);
	const ours: readonly string[] = listAgentTools("web", "convert", "lsp");
	return tools.filter((tool) => !ours.includes(tool) || allowed.includes(tool));
}

function lspActionsOf(config: DeputizeConfig): readonly string[] {
	const privileged: readonly string[] = PRIVILEGED_LSP_ACTIONS;
	return config.subagents.allowedLspActions.filter((action) => !privileged.includes(action));
}
