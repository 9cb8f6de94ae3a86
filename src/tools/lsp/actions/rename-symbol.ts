import { formatCount, messageOf } from "@deputize/ground";
import { LspError, ServerRefusalError } from "../lsp-error.ts";
import { askRename } from "../questions/ask-server.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { type EditPlan, planWorkspaceEdit } from "../workspace/plan-workspace-edit.ts";
import type { ActionAnswer, ActionContext } from "./action-context.ts";
import { withTarget } from "./locate-target.ts";

export async function renameSymbol(context: ActionContext): Promise<ActionAnswer> {
	const { newName } = context.request;
	if (newName === undefined) throw new LspError("INVALID_INPUT", "rename needs newName.");
	const found = await withTarget(context, ["textDocument/rename"], async (located) => {
		const { name } = located.target;
		try {
			return { name, ...(await askRename(located, newName, context)) };
		} catch (error) {
			if (!(error instanceof ServerRefusalError)) throw error;
			throw new LspError("INVALID_INPUT", `${located.server.id} cannot rename ${name}: ${error.message}`);
		}
	});
	if ("text" in found) return found;
	if (!found.isComplete) {
		throw new LspError(
			"LSP_TIMEOUT",
			`The server was still loading when the time was over, so the edit for ${found.name} may miss files. Nothing was changed; ask again.`,
		);
	}
	const plan = await planWorkspaceEdit(found.answer, context.workspace);
	return finishEdit(context, plan, `rename of ${found.name} to ${newName}`);
}

/** Shows the diff, or writes it when that was asked for and is allowed. */
export async function finishEdit(
	context: ActionContext,
	plan: EditPlan,
	heading: string,
): Promise<ActionAnswer> {
	const { request, config, workspace } = context;
	const shown = (path: string) => toShownPath(workspace, path);
	const details = {
		action: request.action,
		files: plan.files.map(({ file, changes }) => ({ file: shown(file), changes: changes.length })),
		obstacles: plan.obstacles,
	};
	if (plan.files.length === 0 && plan.obstacles.length === 0) {
		return { text: `${heading}: the server proposes no change.`, details: { ...details, applied: false } };
	}
	const changes = plan.files.reduce((sum, file) => sum + file.changes.length, 0);
	const counted = `${heading}: ${formatCount(changes, "change")} in ${formatCount(plan.files.length, "file")}`;
	const { renderDiffs } = await import("../rendering/render-diff.ts");
	const diff = renderDiffs(plan.files, shown);
	if (!request.apply) {
		const notes = plan.obstacles.map((obstacle) => `Cannot be applied: ${obstacle}.`);
		return {
			text: [`${counted} (not applied)`, diff, ...notes].join("\n"),
			details: { ...details, applied: false, diff },
		};
	}
	if (!config.allowMutatingActions) {
		throw new LspError(
			"LSP_ACTION_NOT_ALLOWED",
			"Applying an edit needs lsp.allowMutatingActions: true in the user's configuration. Without apply the diff is shown.",
		);
	}
	if (plan.obstacles.length > 0) {
		throw new LspError("LSP_ACTION_NOT_ALLOWED", `Nothing was changed: ${plan.obstacles.join("; ")}.`);
	}
	await apply(context, plan);
	return { text: `${counted} (applied)\n${diff}`, details: { ...details, applied: true, diff } };
}

async function apply(context: ActionContext, plan: EditPlan): Promise<void> {
	try {
		await context.applyEdits(plan.files.map(({ file, oldText, newText }) => ({ file, oldText, newText })));
	} catch (error) {
		if (error instanceof LspError) throw error;
		const reason = messageOf(error);
		throw new LspError("LSP_EDIT_FAILED", `The files could not be written, and none was changed: ${reason}`);
	}
}
