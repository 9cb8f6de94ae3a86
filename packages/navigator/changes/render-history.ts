import { stemsOf } from "../code-index/split-identifier.ts";
import { quoteLine } from "../quote-line.ts";
import { renderShortList } from "../render-row.ts";
import type { SearchTerm } from "../search-terms.ts";
import type { Commit, GitFacts } from "./git-facts.ts";

const MAX_SHOWN = 5;
const MAX_TOGETHER = 3;
/** A commit that touches more changed a style or a version, and says nothing about what belongs together. */
const MAX_FILES_TOGETHER = 25;
const MIN_COMMITS_TOGETHER = 3;
const MIN_SHARE_TOGETHER = 0.5;
const MIN_SHARED_WORDS = 2;

/** Who changed it, when and in which commit: by the name when there is one, else by the file. */
export function renderHistory(facts: GitFacts, path: string | undefined, verbose: boolean): string {
	const { commits, touching } = facts;
	const byName = commits.filter(({ hash }) => touching?.hashes.includes(hash) === true);
	const found =
		byName.length > 0 ? byName : commits.filter(({ files }) => path !== undefined && files.includes(path));
	if (found.length === 0) return "";
	const subject = byName.length > 0 ? `lines with \`${touching?.name}\`` : `\`${path}\``;
	const shown = found.slice(0, verbose ? MAX_SHOWN * 4 : MAX_SHOWN);
	const first = found.at(-1);
	return [
		`**Changed ${subject}:** ${found.length} of the last ${commits.length} commits, by ${renderAuthors(found)}`,
		...shown.map((commit, at) => `${at + 1}. ${renderCommit(commit)}`),
		...(first !== undefined && !shown.includes(first) ? [`First of these: ${renderCommit(first)}`] : []),
	].join("\n");
}

export function renderAuthors(commits: readonly Commit[]): string {
	const counts = new Map<string, number>();
	for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.slice(0, MAX_TOGETHER)
		.map(([author, count]) => `${author} (${count})`)
		.join(", ");
}

/** Files that mostly change with these, and are not among them. */
export function renderTogether(
	title: string,
	commits: readonly Commit[],
	paths: readonly string[],
	exists: (path: string) => boolean,
): string {
	const rows = paths.flatMap((path) => {
		const mine = commits.filter(({ files }) => files.includes(path) && files.length <= MAX_FILES_TOGETHER);
		if (mine.length < MIN_COMMITS_TOGETHER) return [];
		const counts = new Map<string, number>();
		for (const file of mine.flatMap(({ files }) => files)) counts.set(file, (counts.get(file) ?? 0) + 1);
		return [...counts]
			.filter(
				([file, count]) => count / mine.length >= MIN_SHARE_TOGETHER && !paths.includes(file) && exists(file),
			)
			.map(([file, count]) => ({
				file,
				count,
				text: `\`${file}\` (in ${count} of ${mine.length} commits with \`${path}\`)`,
			}));
	});
	const unique = new Map(rows.sort((a, b) => b.count - a.count).map(({ file, text }) => [file, text]));
	return unique.size === 0 ? "" : `**${title}:** ${[...unique.values()].slice(0, MAX_TOGETHER).join(", ")}`;
}

/** Commits whose subject speaks of the task. */
export function renderSimilar(commits: readonly Commit[], terms: readonly SearchTerm[]): string {
	const wanted = new Set(terms.filter(({ weight }) => weight >= 1).flatMap(({ stems }) => stems));
	const similar = commits
		.map((commit) => ({
			commit,
			shared: [...new Set(stemsOf(commit.subject))].filter((stem) => wanted.has(stem)).length,
		}))
		.filter(({ shared }) => shared >= Math.min(MIN_SHARED_WORDS, wanted.size))
		.sort((a, b) => b.shared - a.shared)
		.slice(0, MAX_TOGETHER);
	if (similar.length === 0) return "";
	return [
		"**Similar commits:**",
		...similar.map(({ commit }) => `- ${renderCommit(commit)}${renderFiles(commit)}`),
	].join("\n");
}

function renderCommit({ hash, date, author, subject }: Commit): string {
	return `${hash} ${date} ${author}: ${quoteLine(subject)}`;
}

function renderFiles({ files }: Commit): string {
	const names = files.map((file) => `\`${file}\``);
	return ` (${renderShortList(names, MAX_TOGETHER)})`;
}
