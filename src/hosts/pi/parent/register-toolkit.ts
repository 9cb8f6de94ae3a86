import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "./pi-library.ts";

/** `/toolkit`: reports about agents, this machine, and what was done. */
export function registerToolkit(pi: ExtensionAPI, library: PiLibrary): void {
	pi.registerCommand("toolkit", {
		description: "Reports of deputize: agents, doctor, logs, activity",
		async getArgumentCompletions(typed) {
			const { completeToolkitArguments } = await import("./toolkit/parse-toolkit-arguments.ts");
			const completions = completeToolkitArguments(typed);
			return completions.length > 0 ? [...completions] : null;
		},
		async handler(args, context) {
			const { runToolkit } = await import("./toolkit/run-toolkit.ts");
			await runToolkit(pi, library, args, context);
		},
	});
}
