import type { Place } from "../quote-line.ts";
import type { ChangedFile } from "./parse-diff.ts";

export interface Commit {
	readonly hash: string;
	readonly author: string;
	/** As year-month-day. */
	readonly date: string;
	readonly subject: string;
	/** Below the directory that is searched. */
	readonly files: readonly string[];
}

export interface Changes {
	/** What was compared: "uncommitted changes", "commit abc1234", "the diff in the task". */
	readonly title: string;
	readonly files: readonly ChangedFile[];
	/** Nothing was changed: the files are looked at as they are, as if every line were new. */
	readonly isWhole?: true;
}

export interface LintFinding extends Place {
	readonly message: string;
}

/** What Git and the linters of a project say, gathered before anything is answered. */
export interface GitFacts {
	readonly changes?: Changes;
	/** Newest first. */
	readonly commits: readonly Commit[];
	/** Hashes of commits that added or removed a line with the name that the task asks about. */
	readonly touching?: { readonly name: string; readonly hashes: readonly string[] };
	/** Of the lines that were added or changed. */
	readonly lint?: { readonly by: string; readonly findings: readonly LintFinding[] };
	/** Why there is no change to look at although the task speaks of one. */
	readonly problem?: string;
}
