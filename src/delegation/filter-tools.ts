import { createGlob } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import { type DeputizeConfig, PRIVILEGED_LSP_ACTIONS } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import type { LayerUse } from "../contract/plan.ts";
import { isMcpTool } from "../contract/tool.ts";
import { listAgentTools, TRY_TOOL, WRITING_TOOL_NAMES } from "../toolbox/tool-rows.ts";

/** The parent's tools, as far as the host knows them. Outside pi there is no parent, and pi's own tools are assumed. */
export interface ParentTools {
	/** Every tool that can be granted, with the extension file it comes from; undefined for built-in ones. */
	readonly known: ReadonlyMap<string, string | undefined>;
	readonly active: readonly string[];
}

const FILE_TOOLS = listAgentTools("files");
const LSP_TOOL = "lsp";
/** pi's own, and ours for a child that works in a layer. */
const WRITING_TOOLS: readonly string[] = WRITING_TOOL_NAMES;
/** The parent's own, or internal: no child ever gets these, not even by name. */
const NEVER = ["subagent", "call_subagent", FINALIZE_TOOL];

/** pi's built-in tools and this package's own: what exists when no host says more. */
export const DEFAULT_PARENT_TOOLS: ParentTools = createParentTools();

function createParentTools(): ParentTools {
	const names = [...FILE_TOOLS, ...WRITING_TOOLS, ...listAgentTools("web", "convert", "lsp")];
	return { known: new Map([...names, TRY_TOOL].map((name) => [name, undefined])), active: names };
}

/** Every tool a readonly agent may have under this configuration. */
export function listReadonlyTools(
	config: DeputizeConfig,
	parent: ParentTools = DEFAULT_PARENT_TOOLS,
): readonly string[] {
	const isVouchedFor = createVouchTest(config);
	return [
		...listOwnReadonlyTools(config),
		...[...parent.known].flatMap(([name, extension]) =>
			extension !== undefined && isVouchedFor(name) ? [name] : [],
		),
	];
}

/** The user can vouch only for tools of others: ours and pi's are what they are, whatever a pattern matches. */
function createVouchTest({ subagents }: DeputizeConfig): (name: string) => boolean {
	const patterns = subagents.readonlyTools.map((pattern) => createGlob(pattern));
	return (name) =>
		!DEFAULT_PARENT_TOOLS.known.has(name) &&
		!NEVER.includes(name) &&
		patterns.some((matches) => matches(name));
}

function listOwnReadonlyTools(config: DeputizeConfig): readonly string[] {
	return [
		...FILE_TOOLS,
		...(config.web.enabled ? listAgentTools("web") : []),
		...(config.convert.enabled ? listAgentTools("convert") : []),
		...(config.lsp.enabled && config.subagents.allowLspTools && lspActionsOf(config).length > 0
			? [LSP_TOOL]
			: []),
	];
}

/** The servers of the parent see the project as it is, and not what was changed in a layer. */
function listLayerReaders(readonlyTools: readonly string[]): readonly string[] {
	return readonlyTools.filter((tool) => tool !== LSP_TOOL);
}

/** Whether a reader asks for commands in a layer that is thrown away, and the user lets it have them. */
function asksToTry({ readonly, tools }: AgentDefinition, { subagents }: DeputizeConfig): boolean {
	return readonly && subagents.tryCommands && tools.kind === "allow" && tools.names.includes(TRY_TOOL);
}

/** What an agent without permission to write may have: the readonly set, and to try commands where nothing of it stays. */
function filterToolsForReadonly(
	tools: readonly string[],
	readonlyTools: readonly string[],
): readonly string[] {
	return tools.filter((tool) => readonlyTools.includes(tool) || tool === TRY_TOOL);
}

/** The same grant where no command can be tried. */
export function withoutTrying(granted: GrantedTools): GrantedTools {
	if (granted.worksInLayer !== "to-try") return granted;
	const tools = granted.tools.filter((tool) => tool !== TRY_TOOL);
	return { ...granted, tools, worksInLayer: false, withheld: [...granted.withheld, TRY_TOOL] };
}

/**
 * Decides the tool list of a child: what the agent asks for, reduced to what the configuration allows. `isWriter` says that
 * the user lets it change files in a layer.
 */
export function grantTools(
	agent: AgentDefinition,
	config: DeputizeConfig,
	parent: ParentTools,
	isWriter: boolean,
) {
	const { allowWrite, isolation } = config.subagents;
	const worksInLayer = isWriter && isolation !== "in-place";
	const mayTry = asksToTry(agent, config);
	const readonlyTools = listReadonlyTools(config, parent);
	const inLayer = worksInLayer ? [...listLayerReaders(readonlyTools), ...WRITING_TOOLS] : undefined;
	const writesAllowed = (allowWrite || isWriter) && !agent.readonly && !worksInLayer;
	const wanted = listWanted(
		agent,
		config,
		parent,
		writesAllowed ? parent.active : (inLayer ?? readonlyTools),
	);
	const grantable = wanted.filter((tool) => !NEVER.includes(tool) && (mayTry || tool !== TRY_TOOL));
	// An MCP server is started for every child that has one of its tools, so the user must vouch for them.
	const isAvailable = (tool: string): boolean =>
		parent.known.has(tool) && (!isMcpTool(tool) || readonlyTools.includes(tool));
	const tools = writesAllowed
		? dropSwitchedOff(grantable, config).filter(isAvailable)
		: inLayer
			? grantable.filter((tool) => inLayer.includes(tool))
			: filterToolsForReadonly(grantable, readonlyTools);
	const layerUse = worksInLayer ? "to-change" : "to-try";
	// In a layer these are ours, whoever else offers one of the name.
	const ours: readonly string[] = worksInLayer ? WRITING_TOOLS : [TRY_TOOL];
	const ofOthers = tools.filter((tool) => !ours.includes(tool));
	const extensions = ofOthers.map((tool) => parent.known.get(tool)).filter((file) => file !== undefined);
	return {
		/** The exact allow list of the child; may be empty, which means no tools. */
		tools,
		/** Extension files the granted tools come from. */
		extensions: [...new Set(extensions)],
		lspActions: tools.includes(LSP_TOOL) ? lspActionsOf(config) : [],
		/** It changes the user's own files. */
		mayWrite: writesAllowed && tools.some((tool) => !readonlyTools.includes(tool)),
		/** What it needs a layer for. */
		worksInLayer: (tools.some((tool) => ours.includes(tool)) && layerUse) as LayerUse | false,
		/** Asked for by the agent's file but not granted; for reports. */
		withheld: listDeclared(agent, wanted, grantable).filter(
			(tool) => !tools.includes(tool) && !isSilent(tool, agent, config),
		),
	};
}

/** Ours name it in their files, and nobody has to know of it before it is switched on. */
function isSilent(tool: string, { source }: AgentDefinition, { subagents }: DeputizeConfig): boolean {
	return tool === TRY_TOOL && source === "builtin" && !subagents.tryCommands;
}

export type GrantedTools = ReturnType<typeof grantTools>;

/** What the agent's file asks for. A deny list asks for all that is left, unless the agent only reads. */
function listDeclared(
	{ tools, readonly }: AgentDefinition,
	wanted: readonly string[],
	grantable: readonly string[],
): readonly string[] {
	if (tools.kind === "allow") return wanted;
	return tools.kind === "deny" && !readonly ? grantable : [];
}

function listWanted(
	agent: AgentDefinition,
	config: DeputizeConfig,
	parent: ParentTools,
	byDefault: readonly string[],
): readonly string[] {
	const rule = agent.tools;
	if (rule.kind === "default") return byDefault;
	const names = expandNames(rule.names, parent);
	// Outside pi, or while its server is not connected, another extension's tool is missing; that is no mistake.
	const isVouchedFor = createVouchTest(config);
	const unknown = names.filter(
		(name) => !parent.known.has(name) && !NEVER.includes(name) && !isVouchedFor(name),
	);
	if (unknown.length > 0) {
		throw new DelegationError(
			"INVALID_INPUT",
			`The agent ${agent.name} names unknown tool${unknown.length > 1 ? "s" : ""} ${unknown.map((name) => JSON.stringify(name)).join(", ")} in ${agent.toolsFrom ?? agent.file}. Known tools: ${[...parent.known.keys()].join(", ")}.`,
		);
	}
	if (rule.kind === "allow") return names;
	return parent.active.filter((name) => !names.includes(name));
}

/** A name with `*` stands for every tool of other extensions and MCP servers that it matches; if none, for itself. */
function expandNames(names: readonly string[], { known }: ParentTools): readonly string[] {
	const ofOthers = [...known].flatMap(([name, extension]) => (extension === undefined ? [] : [name]));
	const expanded = names.flatMap((name) => {
		const found = name.includes("*") ? ofOthers.filter(createGlob(name)) : [];
		return found.length > 0 ? found : [name];
	});
	return [...new Set(expanded)];
}

function dropSwitchedOff(tools: readonly string[], config: DeputizeConfig): readonly string[] {
	const allowed = listOwnReadonlyTools(config);
	const ours: readonly string[] = listAgentTools("web", "convert", "lsp");
	return tools.filter((tool) => !ours.includes(tool) || allowed.includes(tool));
}

function lspActionsOf(config: DeputizeConfig): readonly string[] {
	const privileged: readonly string[] = PRIVILEGED_LSP_ACTIONS;
	return config.subagents.allowedLspActions.filter((action) => !privileged.includes(action));
}
