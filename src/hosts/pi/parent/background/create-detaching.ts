import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { DelegationUpdate } from "../../../../contract/result.ts";
import type { Delegations } from "../delegations.ts";

/** Follows a call until it is to be let go. Without a person nobody would be there when the answer comes. */
export function createDetaching(
	{ runs }: Pick<Delegations, "runs">,
	{ toolCallId, context }: { readonly toolCallId: string; readonly context: Pick<ExtensionContext, "hasUI"> },
) {
	let newest: DelegationUpdate | undefined;
	let ask = (_update: DelegationUpdate): void => undefined;
	const asked = new Promise<DelegationUpdate>((resolve) => {
		ask = resolve;
	});
	return {
		/** The newest update, once somebody or the agent's file wants that nobody waits. */
		asked,
		note(update: DelegationUpdate): void {
			if (!context.hasUI || update.details.runId === undefined) return;
			if (newest === undefined) runs.offerDetach(toolCallId, () => newest && ask(newest));
			newest = update;
			if (update.details.streaming?.background) ask(update);
		},
	};
}
