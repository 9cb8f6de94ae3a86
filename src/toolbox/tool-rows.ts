import type { HostNeutralTool, MissingTool } from "../contract/tool.ts";
import type { ToolParts } from "./tool-parts.ts";

export type ToolKind = "files" | "web" | "convert" | "lsp" | "python" | "work";

/** One tool. Importing the table costs nothing: what a tool needs is loaded when it is opened. */
interface ToolRow {
	readonly kind: ToolKind;
	/** The tool changes nothing outside its own run, so a readonly agent may have it. */
	readonly readonly: boolean;
	/**
	 * `agent`: what agent files name, the same under every runtime. `exec`: one of the six of `call_subagent`, which
	 * answer in JSON and see the working directory only. `layer`: as for agents, for those that work in a layer; one that
	 * is readonly needs a layer that is thrown away.
	 */
	readonly contract: "agent" | "exec" | "layer";
	readonly open: (parts: ToolParts) => Promise<HostNeutralTool | MissingTool>;
}

const createRow =
	(contract: ToolRow["contract"], readonly = true) =>
	(kind: ToolKind, open: ToolRow["open"]): ToolRow => ({ kind, readonly, contract, open });
const agent = createRow("agent");
const exec = createRow("exec");
const layer = createRow("layer", false);

/** Every tool of this package that can be granted. To add one, add a row here, its code in `tools/`, and a reference page. */
const ROWS = {
	read: agent("files", async (parts) =>
		(await import("../tools/files/create-read-tool.ts")).createReadTool(parts.files()),
	),
	grep: agent("files", async (parts) =>
		(await import("../tools/files/create-grep-tool.ts")).createGrepTool(parts.files()),
	),
	find: agent("files", async (parts) =>
		(await import("../tools/files/create-find-tool.ts")).createFindTool(parts.files()),
	),
	ls: agent("files", async (parts) =>
		(await import("../tools/files/create-ls-tool.ts")).createLsTool(parts.files()),
	),
	search_code: agent("files", async (parts) =>
		(await import("../navigator/create-search-code-tool.ts")).createSearchCodeTool(parts.tree()),
	),
	web_search: agent("web", (parts) => parts.web("web_search")),
	fetch_content: agent("web", (parts) => parts.web("fetch_content")),
	get_search_content: agent("web", (parts) => parts.web("get_search_content")),
	convert_content: agent("convert", (parts) => parts.convert()),
	lsp: agent("lsp", (parts) => parts.lsp()),
	search_web: exec("web", (parts) => parts.execWeb("search_web")),
	scrape_webpage: exec("web", (parts) => parts.execWeb("scrape_webpage")),
	bash_find: exec("files", async (parts) =>
		(await import("../tools/files/create-bash-find-tool.ts")).createBashFindTool(parts.files()),
	),
	bash_ripgrep: exec("files", async (parts) =>
		(await import("../tools/files/create-bash-ripgrep-tool.ts")).createBashRipgrepTool(parts.files()),
	),
	bash_read: exec("files", async (parts) =>
		(await import("../tools/files/create-bash-read-tool.ts")).createBashReadTool(parts.files()),
	),
	python_execute: exec("python", async (parts) =>
		(await import("../tools/shell/create-python-tool.ts")).createPythonTool(parts),
	),
	bash: layer("work", async (parts) =>
		(await import("../tools/shell/create-command-tool.ts")).createCommandTool("bash", parts.commands()),
	),
	try_command: createRow("layer")("work", async (parts) =>
		(await import("../tools/shell/create-command-tool.ts")).createCommandTool(
			"try_command",
			parts.commands(),
		),
	),
	edit: layer("work", async (parts) => {
		const place = parts.writePlace();
		return "missing" in place
			? place
			: (await import("../tools/files/create-edit-tool.ts")).createEditTool(place);
	}),
	write: layer("work", async (parts) => {
		const place = parts.writePlace();
		return "missing" in place
			? place
			: (await import("../tools/files/create-write-tool.ts")).createWriteTool(place);
	}),
} satisfies Readonly<Record<string, ToolRow>>;

export type ToolName = keyof typeof ROWS;

export const TOOL_ROWS: Readonly<Record<ToolName, ToolRow>> = ROWS;

export const TOOL_NAMES = Object.keys(ROWS) as readonly ToolName[];

export function isToolName(name: string): name is ToolName {
	return Object.hasOwn(ROWS, name);
}

/** The names agent files use, of the given kinds or of all. */
export function listAgentTools(...kinds: readonly ToolKind[]): readonly ToolName[] {
	return TOOL_NAMES.filter((name) => {
		const { contract, kind } = TOOL_ROWS[name];
		return contract === "agent" && (kinds.length === 0 || kinds.includes(kind));
	});
}

/** The six of `call_subagent`. There is none that starts another agent. */
export const EXEC_TOOL_NAMES = TOOL_NAMES.filter((name) => TOOL_ROWS[name].contract === "exec");

/** What exists in a layer only. */
export const LAYER_TOOL_NAMES = TOOL_NAMES.filter((name) => TOOL_ROWS[name].contract === "layer");

/** What an agent that changes files in a layer may have beside tools that read. */
export const WRITING_TOOL_NAMES = LAYER_TOOL_NAMES.filter((name) => !TOOL_ROWS[name].readonly);

/** For an agent that only reads: what it changes is thrown away. */
export const TRY_TOOL: ToolName = "try_command";
