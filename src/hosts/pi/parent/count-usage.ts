import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { SingleResult } from "../../../contract/result.ts";
import { splitModel } from "../../../contract/split-model.ts";
import { toHostUsage } from "../../../delegation/to-host-usage.ts";

const KIND = "deputize";

/** pi's own session manager can do this; extensions are shown a type of it that only reads. */
interface UsageSession {
	getEntries(): readonly object[];
	appendUsage?(kind: string, provider: string, model: string, usage: object, note: string): void;
}

/**
 * Adds the spending of a run that no tool call waits for to pi's totals, once. Where this pi has no way to do so, it is
 * in the message and in `/toolkit activity` only.
 */
export function countUsage(
	{ sessionManager }: Pick<ExtensionContext, "sessionManager">,
	runId: string | undefined,
	single: SingleResult | undefined,
): void {
	const session = sessionManager as UsageSession;
	if (!single || runId === undefined || typeof session.appendUsage !== "function") return;
	const note = `run ${runId}`;
	const isCounted = session.getEntries().some((entry) => (entry as { note?: unknown }).note === note);
	if (isCounted) return;
	const { provider, name } = splitModel(single.model ?? "");
	session.appendUsage(KIND, provider, name, toHostUsage(single.usage), note);
}
