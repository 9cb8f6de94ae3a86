import { type Deadline, pauseWithin } from "@deputize/ground";
import { ServerRefusalError, unlessLate } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";

/**
 * How much of the project an answer depends on. `file`: the text alone, so any answer is right. `symbol`: what
 * one name means. `workspace`: every file, the answer servers get wrong for longest.
 */
export type AnswerScope = "file" | "symbol" | "workspace";

interface Question<Answer> {
	readonly server: LanguageServer;
	readonly scope: AnswerScope;
	readonly ask: () => Promise<Answer>;
	readonly isEmpty: (answer: Answer) => boolean;
	readonly deadline: Deadline;
	/** What a server that is still starting may take. */
	readonly coldTimeoutMs: number;
}

export interface SettledAnswer<Answer> {
	readonly answer: Answer;
	/** False when the deadline passed before the server stopped changing its mind. */
	readonly isComplete: boolean;
}

/** "Nothing" is what servers say first; it is believed only after this many in a row. */
const EQUAL_EMPTY_ANSWERS = 4;
const CONTENT_MODIFIED = -32801;
const SERVER_CANCELLED = -32802;

/**
 * Most servers answer before they have read the project, and say nothing about it. So while such a server is cold:
 * wait for the work it reports to end, ask again after a pause, and believe an answer that came twice.
 */
export async function settleAnswer<Answer>(question: Question<Answer>): Promise<SettledAnswer<Answer>> {
	const { deadline, isEmpty } = question;
	if (isCold(question)) deadline.extendTo(question.coldTimeoutMs);
	const generation = question.server.progress.generation();
	const answer: Answer = await askPatiently(question);
	if (!isBelievable(question, isEmpty(answer), generation)) {
		deadline.extendTo(question.coldTimeoutMs);
		return askUntilEqual(question, answer);
	}
	if (!isEmpty(answer)) question.server.settled.set(question.scope, generation);
	return { answer, isComplete: true };
}

async function askUntilEqual<Answer>(
	question: Question<Answer>,
	first: Answer,
): Promise<SettledAnswer<Answer>> {
	const { server, deadline, isEmpty } = question;
	let answer = first;
	let equalAnswers = 1;
	for (;;) {
		const isIdle = await server.progress.whenIdle(deadline);
		await pauseWithin(LSP_LIMITS.settleIntervalMs, deadline);
		const asking = isIdle ? askPatiently(question).then((later) => ({ answer: later })) : undefined;
		const next = asking && (await unlessLate(asking));
		if (next === undefined) return { answer, isComplete: false };
		const isEqual = renderForComparison(next.answer) === renderForComparison(answer);
		equalAnswers = isEqual && server.progress.openCount() === 0 ? equalAnswers + 1 : 1;
		answer = next.answer;
		if (equalAnswers < (isEmpty(answer) ? EQUAL_EMPTY_ANSWERS : 2)) continue;
		if (!isEmpty(answer)) server.settled.set(question.scope, server.progress.generation());
		return { answer, isComplete: true };
	}
}

/** The same for a list in another order. */
function renderForComparison(answer: unknown): string {
	return JSON.stringify(Array.isArray(answer) ? answer.map((entry) => JSON.stringify(entry)).sort() : answer);
}

function isCold({ server, scope }: Pick<Question<unknown>, "server" | "scope">): boolean {
	return !server.settled.has(scope) || server.progress.openCount() > 0;
}

function isBelievable(
	{ server, scope }: Pick<Question<unknown>, "server" | "scope">,
	answerIsEmpty: boolean,
	generationBefore: number,
): boolean {
	const isYoung = server.ageMs() < LSP_LIMITS.youngServerMs;
	// A server that has shown the symbols of one file is believed when it sees none in another.
	if (scope === "file") return !answerIsEmpty || server.settled.has(scope);
	if (!answerIsEmpty && server.launch.definition.loadsBeforeAnswering === true) return true;
	if (server.progress.openCount() > 0)
		return scope === "symbol" && !answerIsEmpty && server.settled.has(scope);
	if (answerIsEmpty) return !isYoung && server.settled.size > 0;
	if (scope === "symbol") return server.settled.has(scope);
	// Counted before the question: some servers report progress for answering it.
	return !isYoung && server.settled.get(scope) === generationBefore;
}

/** Servers refuse questions while they load or while a text changes under them; the question is asked again. */
export async function askPatiently<Answer>(
	question: Pick<Question<Answer>, "server" | "ask" | "deadline">,
): Promise<Answer> {
	for (;;) {
		try {
			return await question.ask();
		} catch (error) {
			if (!isPassing(error, question.server)) throw error;
			await pauseWithin(LSP_LIMITS.settleIntervalMs, question.deadline);
			question.deadline.check();
		}
	}
}

function isPassing(error: unknown, server: LanguageServer): boolean {
	if (!(error instanceof ServerRefusalError)) return false;
	if (error.code === CONTENT_MODIFIED || error.code === SERVER_CANCELLED) return true;
	// typescript-language-server before its first project is loaded.
	return /no project/i.test(error.message) && server.ageMs() < LSP_LIMITS.youngServerMs;
}
