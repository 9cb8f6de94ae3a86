import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import type { Delegations } from "./delegations.ts";
import type { PiLibrary } from "./pi-library.ts";

const MENTION = /^@([\p{L}\p{N}._-]{1,64})\s+(\S[\s\S]*)$/u;
/** The beginning of a message, while its first word is being typed. */
const BEGINNING = /^@[\p{L}\p{N}._-]*$/u;

/**
 * `@explorer Where is …` at the beginning of a message asks that agent, as `/toolkit run` does. A file of that name goes
 * before, and so does another extension that looks for such messages.
 */
export function registerMentions(pi: ExtensionAPI, library: PiLibrary, delegations: Delegations): void {
	pi.on("session_start", (_event, { mode, ui }) => {
		if (mode === "tui") ui.addAutocompleteProvider?.(addAgents);
	});
	pi.on("input", async ({ text, source }, context) => {
		const [, agent, task] = MENTION.exec(text) ?? [];
		if (!agent || !task || source === "extension" || !context.hasUI) return undefined;
		const { isForAgent } = await import("./toolkit/find-mention.ts");
		if (!(await isForAgent(agent, library, context))) return undefined;
		const { runByHand } = await import("./toolkit/run-by-hand.ts");
		await runByHand({ agent, task }, { pi, library, context, delegations });
		return { action: "handled" };
	});
}

function addAgents(current: AutocompleteProvider): AutocompleteProvider {
	const { triggerCharacters } = current;
	return {
		...(triggerCharacters ? { triggerCharacters } : {}),
		async getSuggestions(lines, line, column, options) {
			const found = await current.getSuggestions(lines, line, column, options);
			const typed = (lines[line] ?? "").slice(0, column);
			if (line !== 0 || !BEGINNING.test(typed)) return found;
			const { listAskableAgents } = await import("./toolkit/list-askable-agents.ts");
			const agents = listAskableAgents()
				.map(({ name, description }) => ({ value: `@${name}`, label: `@${name}`, description }))
				.filter(({ value }) => value.startsWith(typed));
			return agents.length > 0 ? { prefix: typed, items: [...agents, ...(found?.items ?? [])] } : found;
		},
		applyCompletion: (...given) => current.applyCompletion(...given),
		shouldTriggerFileCompletion: (...given) => current.shouldTriggerFileCompletion?.(...given) ?? true,
	};
}
