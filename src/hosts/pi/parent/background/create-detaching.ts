import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { DelegationUpdate } from "../../../../contract/result.ts";
import type { Delegations } from "../delegations.ts";

interface Detaching {
	/** The newest update, once somebody or the agent's file wants that nobody waits. */
	readonly asked: Promise<DelegationUpdate>;
	note(update: DelegationUpdate): void;
}

/** Follows a call until it is to be let go. Without a person nobody would be there when the answer comes. */
export function createDetaching(
	{ runs }: Pick<Delegations, "runs">,
	{ toolCallId, context }: { readonly toolCallId: string; readonly context: Pick<ExtensionContext, "hasUI"> },
): Detaching {
	let newest: DelegationUpdate | undefined;
	let ask = (_update: DelegationUpdate): void => undefined;
	const asked = new Promise<DelegationUpdate>((resolve) => {
		ask = resolve;
	});
	return {
		asked,
		note(update) {
			if (!context.hasUI || update.details.runId === undefined) return;
			if (newest === undefined) runs.offerDetach(toolCallId, () => newest && ask(newest));
			newest = update;
			if (update.details.streaming?.background) ask(update);
		},
	};
}
