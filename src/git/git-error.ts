/** Why a repository is not read: Git's own words, or ours where Git was not asked. */
export class GitError extends Error {
	override readonly name = "GitError";
}
