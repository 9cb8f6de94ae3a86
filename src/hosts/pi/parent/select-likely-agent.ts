/**
 * Which agent the model will probably delegate to, now that the user has sent a message: the one that the message names
 * as an agent, else the one that got a task in this project a short while ago. A guess costs a child that waits for two
 * minutes, so there is none on less than that.
 */
export function selectLikelyAgent(
	message: string,
	options: { readonly names: readonly string[]; readonly recent: string | undefined },
): string | undefined {
	const [named, ...others] = SPEAKS_OF_AGENTS.test(message)
		? options.names.filter((name) => hasWord(message, name))
		: [];
	// Of two there is no telling which comes first.
	return named !== undefined && others.length === 0 ? named : options.recent;
}

const SPEAKS_OF_AGENTS = /\b(?:(?:sub)?agents?|delegat(?:e|es|ion)|ask|have|let|use)\b/i;
const WORD_CHARACTER = /[A-Za-z0-9_-]/;

/** Names of agents have characters that `\b` takes for the end of a word. */
function hasWord(text: string, word: string): boolean {
	const lower = text.toLowerCase();
	for (
		let at = lower.indexOf(word.toLowerCase());
		at !== -1;
		at = lower.indexOf(word.toLowerCase(), at + 1)
	) {
		const around = [lower[at - 1], lower[at + word.length]];
		if (!around.some((character) => character !== undefined && WORD_CHARACTER.test(character))) return true;
	}
	return false;
}
