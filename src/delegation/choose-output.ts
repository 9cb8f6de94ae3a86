import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { Collected } from "./collect-output.ts";
import type { Verdict } from "./judge-attempt.ts";
import type { Redact } from "./redact.ts";

/**
 * What a result shows of the child's words: what it handed over; after a failure the last thing it wrote. Once a
 * handover went wrong the last words are often no more than "as I said above", so then all of them are there.
 */
export function chooseOutput(collected: Collected, verdict: Verdict, redact: Redact): RedactedText {
	return chooseText(collected, verdict, redact).slice(0, LIMITS.maxOutputChars) as RedactedText;
}

function chooseText(collected: Collected, verdict: Verdict, redact: Redact): string {
	const handedOver = (text: string): RedactedText => redact.head(text, LIMITS.maxOutputChars);
	if (verdict.kind === "success")
		return handedOver(verdict.finalization.status === "SUCCESS" ? verdict.finalization.result : "");
	if (collected.finalization?.result !== undefined) return handedOver(collected.finalization.result);
	const handoverFailed = verdict.kind === "not-finalized" || collected.corrections > 0;
	if (handoverFailed) return renderTexts(collected, redact);
	return redact.cutOff(collected.unfinishedText).trim() || redactWritten(collected.text, collected, redact);
}

/** A text of the child that is not being written any more. One that ends in the middle may end in a piece of a secret. */
export function redactWritten(text: string, { cutTexts }: Collected, redact: Redact): RedactedText {
	const isCut = text.length >= LIMITS.maxKeptTextChars || cutTexts.includes(text.trim());
	return isCut ? redact.cutOff(text) : redact.text(text);
}

/** What was to be handed over first, else the longest, since that is most likely the answer. */
function renderTexts(collected: Collected, redact: Redact): string {
	const all = [
		...collected.texts.map((text) => redactWritten(text, collected, redact)),
		redact.cutOff(collected.unfinishedText).trim(),
	].filter((text) => text !== "");
	const { refusedWords = "" } = collected;
	const first = refusedWords === "" ? findLongest(all) : redactWritten(refusedWords, collected, redact);
	const others = all.filter((text) => text !== first);
	if (others.length === 0) return first;
	return [first, "Its other texts, in order:", ...others].join("\n\n---\n\n");
}

/** Of equally long ones the newest. */
export function findLongest(texts: readonly string[]): string {
	return texts.reduce((best, text) => (text.length >= best.length ? text : best), "");
}
