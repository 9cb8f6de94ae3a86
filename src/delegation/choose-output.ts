import type { Collected } from "./collect-output.ts";
import type { Verdict } from "./judge-attempt.ts";

/**
 * What a result shows of the child's words: what it handed over; after a failure the last thing it wrote. Once a
 * handover went wrong the last words are often no more than "as I said above", so then all of them are there.
 */
export function chooseOutput(collected: Collected, verdict: Verdict): string {
	if (verdict.kind === "success")
		return verdict.finalization.status === "SUCCESS" ? verdict.finalization.result : "";
	if (collected.finalization?.result !== undefined) return collected.finalization.result;
	const handoverFailed = verdict.kind === "not-finalized" || collected.corrections > 0;
	if (handoverFailed) return renderTexts(collected);
	return collected.unfinishedText.trim() || collected.text;
}

/** The longest first, since that is most likely the answer. */
function renderTexts({ texts, unfinishedText }: Collected): string {
	const all = [...texts, unfinishedText.trim()].filter((text) => text !== "");
	const longest = findLongest(all);
	const others = all.filter((text) => text !== longest);
	if (others.length === 0) return longest;
	return [longest, "Its other texts, in order:", ...others].join("\n\n---\n\n");
}

/** Of equally long ones the newest. */
export function findLongest(texts: readonly string[]): string {
	return texts.reduce((best, text) => (text.length >= best.length ? text : best), "");
}
