import { readExtensionSource } from "./read-extension-source.ts";

/** What an extension listens to in order to refuse or change a tool call. */
const GATE_EVENT = "tool_call";

/**
 * The user's own gates: extensions that look at tool calls before they run. A child that may write loads them, so that
 * what is refused in the parent is not done by a child. pi does not say who listens to what, so the sources are
 * searched; what cannot be ruled out counts as a gate.
 */
export function chooseGates(candidates: readonly string[]): readonly string[] {
	return candidates.filter((file) => {
		const { text, isComplete } = readExtensionSource(file);
		return !isComplete || text.includes(GATE_EVENT);
	});
}
