import { createSlots, type Slots } from "@deputize/ground";
import { processWideState } from "./live-children.ts";

const KEEP_MS = 5 * 60 * 1000;
const MAX_KEPT = 16;

/**
 * What another program answered, asked once for all who want to know at the same time or soon after. Two different
 * questions wait for each other: many calls may arrive at once, and each would start a process. No answer is not kept.
 */
export function keepForAWhile<Answer>(
	question: string,
	ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
	const state = processWideState();
	state.kept ??= { answers: new Map(), turn: createSlots(1) };
	const { answers, turn } = state.kept;
	const known = answers.get(question);
	if (known !== undefined && known.until > Date.now()) return known.answer as Promise<Answer | undefined>;
	const asking = askInTurn(turn, ask);
	answers.delete(question);
	answers.set(question, { answer: asking, until: Date.now() + KEEP_MS });
	for (const oldest of [...answers.keys()].slice(0, -MAX_KEPT)) answers.delete(oldest);
	const forget = (): void => {
		if (answers.get(question)?.answer === asking) answers.delete(question);
	};
	asking.then((answer) => answer === undefined && forget(), forget);
	return asking;
}

async function askInTurn<Answer>(turn: Slots, ask: () => Promise<Answer>): Promise<Answer> {
	const giveBack = await turn.take();
	try {
		return await ask();
	} finally {
		giveBack?.();
	}
}
