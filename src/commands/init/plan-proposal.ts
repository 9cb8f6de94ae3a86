import { type FileChange, planUserSettings } from "../../config/write-user-settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CLIENT_ROWS } from "../install/client-rows.ts";
import { findServerCommand } from "../install/find-server-command.ts";
import { planInstall } from "../install/plan-install.ts";
import type { Proposal } from "./propose-changes.ts";

/** What a proposal would make of a file, or why the file is left alone. */
export function planProposal(
	proposal: Proposal,
	context: CommandContext,
): FileChange | { readonly problem: string } {
	if (proposal.kind === "setting") {
		const plan = planUserSettings(context.surroundings.agentDirectory, [proposal]);
		return typeof plan === "string" ? { problem: plan } : plan;
	}
	const plan = planClient(proposal.client, context);
	if (plan?.after !== undefined) return { ...plan, after: plan.after };
	return { problem: `${plan?.file ?? proposal.client} ${plan?.problem ?? "is not known"}.` };
}

/** Whether the client has the server already, as we would write it. */
export function isInstalledFor(client: string, context: CommandContext): boolean {
	const plan = planClient(client, context);
	return plan?.before !== undefined && plan.before === plan.after;
}

function planClient(client: string, { surroundings: { env, home }, cwd }: CommandContext) {
	const row = CLIENT_ROWS.find(({ name }) => name === client);
	const place = { home, cwd, env, platform: process.platform };
	return row && planInstall(row, findServerCommand(env), place);
}
