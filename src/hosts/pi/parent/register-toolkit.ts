import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Delegations } from "./delegations.ts";
import type { PiLibrary } from "./pi-library.ts";
import { createPageDoor } from "./toolkit/create-page-door.ts";

/** `/toolkit`: reports about agents, this machine and what was done, and what a person can do with agents. */
export function registerToolkit(
	pi: ExtensionAPI,
	library: PiLibrary,
	delegations: Delegations | undefined,
): void {
	const page = createPageDoor();
	pi.on("session_shutdown", () => page.close());
	pi.registerCommand("toolkit", {
		description: "Agents of deputize: watch, view, run, new, agents, doctor, logs, activity",
		async getArgumentCompletions(typed) {
			const { completeToolkitArguments } = await import("./toolkit/parse-toolkit-arguments.ts");
			const { listAskableAgents } = await import("./toolkit/list-askable-agents.ts");
			const completions = completeToolkitArguments(typed, listAskableAgents);
			return completions.length > 0 ? [...completions] : null;
		},
		async handler(args, context) {
			const { runToolkit } = await import("./toolkit/run-toolkit.ts");
			await runToolkit(args, { pi, library, context }, { delegations, page });
		},
	});
}
