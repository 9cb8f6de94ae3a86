/** Whether an answer needs what Git knows. */
export function needsGit(agent: string, task: string): boolean {
	return ["reviewer", "tester", "implementer"].includes(agent) || ASKS_FOR_HISTORY.test(task);
}

export const ASKS_FOR_HISTORY =
	/\bwho\b.{0,40}\b(?:change[ds]?|wrote|write|edit(?:ed|s)?|introduced|added|touched|authored|last)\b|\bwhen\b.{0,60}\b(?:changed|added|introduced|written|touched|modified)\b|\b(?:which|what|in which) commits?\b|\bhistory of\b|\bauthors? of\b|\bblame\b/i;
