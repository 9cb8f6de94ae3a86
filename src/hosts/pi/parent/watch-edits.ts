import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { LspConfig } from "../../../contract/config.ts";
import type { LspTool } from "../../../tools/lsp/create-lsp-tool.ts";
import { createEditWatch, type EditWatch } from "../../../tools/lsp/workspace/create-edit-watch.ts";

const EDITING_TOOLS = ["edit", "write"];
const MESSAGE_TYPE = "deputize-diagnostics";

/** Tells the model about problems its edits made, when the configuration asks for it. */
export function watchEdits(pi: ExtensionAPI, lsp: LspTool, config: LspConfig): void {
	if (config.hook === "off") return;
	const watch = createEditWatch(lsp, config);
	pi.on("input", (event) => {
		if (event.source !== "extension") watch.onUserInput();
	});
	pi.on("tool_call", async (event, context) => {
		const file = readEditedFile(event);
		if (file !== undefined) await watch.noteBeforeEdit(file, context.cwd);
	});
	if (config.hook === "edit_write") reportAfterEach(pi, watch);
	else reportAtEnd(pi, watch);
}

function reportAfterEach(pi: ExtensionAPI, watch: EditWatch): void {
	pi.on("tool_result", async (event, context) => {
		const file = event.isError ? undefined : readEditedFile(event);
		if (file === undefined) return undefined;
		const signal = context.signal ?? new AbortController().signal;
		const report = await watch.reportFile(file, { cwd: context.cwd, signal });
		return report ? { content: [...event.content, { type: "text", text: report.text }] } : undefined;
	});
}

/** One more turn to mend what broke; the watch itself falls silent after a few. */
function reportAtEnd(pi: ExtensionAPI, watch: EditWatch): void {
	pi.on("agent_before_settle", async (event, context) => {
		if (event.outcome !== "completed") return undefined;
		const signal = context.signal ?? new AbortController().signal;
		const report = await watch.reportAll({ cwd: context.cwd, signal });
		if (!report) return undefined;
		return {
			entries: [
				...event.entries,
				{ type: "custom_message", customType: MESSAGE_TYPE, content: report.text, display: true },
			],
			continue: true,
		};
	});
}

function readEditedFile(event: { readonly toolName: string; readonly input: object }): string | undefined {
	const path = (event.input as Readonly<Record<string, unknown>>)["path"];
	return EDITING_TOOLS.includes(event.toolName) && typeof path === "string" ? path : undefined;
}
