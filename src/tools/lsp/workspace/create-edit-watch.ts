import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { LspConfig } from "../../../contract/config.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import type { LspTool } from "../create-lsp-tool.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { EditReport } from "../rendering/render-new-problems.ts";

export function createEditWatch(tool: LspTool, config: LspConfig) {
	/** What was in each file before its first edit. */
	const edited = new Map<string, string | undefined>();
	const reported = new Map<string, string>();
	let followUps = 0;

	async function report(
		paths: readonly string[],
		context: ToolContext,
		isFollowUp: boolean,
	): Promise<EditReport | undefined> {
		if (isFollowUp && followUps >= LSP_LIMITS.maxFollowUps) return undefined;
		const known = paths.filter((path) => edited.has(path));
		const files = known.map((path) => ({ path, before: edited.get(path) }));
		if (files.length === 0 || context.signal.aborted) return undefined;
		const { findNewProblems } = await import("../actions/check-edited-files.ts");
		const { renderNewProblems } = await import("../rendering/render-new-problems.ts");
		const found = await findNewProblems(await tool.engine(), files, context);
		const unsaid = found.filter(({ file, problems }) => {
			const said = JSON.stringify(problems.map(({ message, source }) => [message, source]));
			if (reported.get(file) === said) return false;
			reported.set(file, said);
			return true;
		});
		if (unsaid.length === 0) return undefined;
		if (isFollowUp) followUps += 1;
		return renderNewProblems(unsaid);
	}

	return {
		/** Before an edit or write tool runs. */
		noteBeforeEdit: async (file: string, cwd: string): Promise<void> => {
			if (config.hook === "off" || !config.enabled) return;
			const path = resolve(cwd, file);
			if (edited.has(path) || edited.size >= LSP_LIMITS.maxEditedFiles) return;
			edited.set(path, await readBefore(path));
		},
		/** `edit_write`: new problems of this one file, compared with before its first edit. */
		reportFile: (file: string, context: ToolContext): Promise<EditReport | undefined> =>
			report([resolve(context.cwd, file)], context, false),
		/** `agent_end`: new problems of all files edited since the user last spoke. */
		reportAll: (context: ToolContext): Promise<EditReport | undefined> =>
			report([...edited.keys()], context, true),
		/** The user spoke: what is on disk now is the state to compare with. */
		onUserInput: (): void => {
			edited.clear();
			reported.clear();
			followUps = 0;
		},
	};
}

/**
 * Problems after edits, for a host to append to a tool result (`edit_write`) or to send when the agent is done
 * (`agent_end`). It says a thing once: the same problems are not reported again, and after a few reports without
 * a word from the user it is silent, so that it can never keep an agent running.
 */
export type EditWatch = ReturnType<typeof createEditWatch>;

/** A file too large to remember counts as new, which at worst reports an old problem. */
async function readBefore(path: string): Promise<string | undefined> {
	try {
		const bytes = await readFile(path);
		return bytes.length > LSP_LIMITS.maxRememberedTextBytes ? undefined : bytes.toString("utf8");
	} catch {
		return undefined;
	}
}
