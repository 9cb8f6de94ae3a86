import { join } from "node:path";
import { removeOldest, writeAtomically } from "@deputize/ground";
import type { ChildPlan } from "../contract/plan.ts";
import { answersDirectory } from "../judge/answers-directory.ts";

/** In one directory; the oldest go first. */
const MAX_ANSWERS = 200;

/** Keeps a whole answer for a caller that gets its beginning and end only. Returns the file's path; throws when it cannot be written. */
export function keepAnswer(
	answer: string,
	{ home, plan }: { readonly home: string; readonly plan: Pick<ChildPlan, "cwd" | "session" | "runId"> },
): string {
	const directory = answersDirectory(home, plan.cwd);
	const file = join(directory, `${plan.session.id}_${plan.runId}.md`);
	writeAtomically(file, answer);
	removeOldest(directory, MAX_ANSWERS);
	return file;
}
