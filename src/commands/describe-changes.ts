import { cleanOutsideText, formatCount, formatMebibytes, toOneLine } from "@deputize/ground";
import type { ChangedFile, ChangeSet, Conflict, NamedPaths } from "../contract/changes.ts";
import { info, type Report, type ReportLine, warn } from "./report.ts";

const MARKS = { added: "A", modified: "M", deleted: "D", renamed: "R" } as const;
const SHOWN_FILES = 20;

/** `2 files +52 −3`. */
export function countChangedFiles({
	files,
	added,
	removed,
}: Pick<ChangeSet, "files" | "added" | "removed">): string {
	return `${formatCount(files.length, "file")} +${added} −${removed}`;
}

/** What children changed, each with its files and what can be done. */
export function describeChanges(
	changes: readonly ChangeSet[],
	notices: readonly string[],
	where: string,
): Report {
	const pending = changes.filter(({ state }) => state === "pending").length;
	return {
		title:
			changes.length === 0
				? `No changes ${where}`
				: `${formatCount(changes.length, "change")} ${where}, ${pending} not applied`,
		sections: [
			...(notices.length === 0
				? []
				: [{ heading: "Notices", lines: notices.map((text) => warn(toOneLine(text))) }]),
			...changes.map((change) => ({ heading: headOf(change), lines: describeChange(change) })),
		],
		data: { changes, notices },
	};
}

function headOf({ id, origin, createdAt }: ChangeSet): string {
	return toOneLine(`${id} ${origin.agent}: ${origin.task} (${createdAt.slice(0, 16).replace("T", " ")})`);
}

function describeChange(change: ChangeSet): readonly ReportLine[] {
	const { id, state, isolation, wasInterrupted, ignored, repositories, files, bytes, project } = change;
	const facts = [
		countChangedFiles(change),
		nameChangeState(change),
		`in a ${isolation}`,
		formatMebibytes(bytes),
		project,
	];
	const remedies: Readonly<Record<ChangeSet["state"], string>> = {
		open: "Its agent is at work.",
		pending: `deputize changes show ${id}; apply ${id}; drop ${id}`,
		applied: `deputize changes undo ${id}`,
	};
	return [
		info(facts.join(" · "), remedies[state]),
		...(wasInterrupted ? [warn("Its agent was at work when the process that watched over it ended.")] : []),
		...files.slice(0, SHOWN_FILES).map((file) => ({ text: describeChangedFile(file) })),
		...(files.length > SHOWN_FILES ? [{ text: `… and ${files.length - SHOWN_FILES} more` }] : []),
		...describeOthers(ignored, "ignored by Git: changed in the layer only, and never applied"),
		...describeOthers(repositories, "in another repository: changed in the layer only, and never applied"),
	];
}

export function nameChangeState({ state, files }: ChangeSet): string {
	const applied = files.filter(({ isApplied }) => isApplied).length;
	if (state === "open") return "at work";
	if (state === "applied") return "applied";
	return applied === 0 ? "not applied" : `${applied} of ${files.length} applied`;
}

export function describeChangedFile({ path, from, status, added, removed, isApplied }: ChangedFile): string {
	const name = from === undefined ? path : `${from} → ${path}`;
	const lines = added === undefined ? "not text" : `+${added} −${removed ?? 0}`;
	return toOneLine(`${MARKS[status]} ${name} ${lines}${isApplied ? " (applied)" : ""}`);
}

function describeOthers({ count, names }: NamedPaths, why: string): readonly ReportLine[] {
	if (count === 0) return [];
	const more = count > names.length ? `, and ${count - names.length} more` : "";
	return [warn(toOneLine(`${formatCount(count, "path")} ${why}: ${names.join(", ")}${more}`))];
}

/** With what cannot be taken back any more. */
export function describeDropped(change: ChangeSet): string {
	const { id, origin, files, project } = change;
	const applied = files.filter(({ isApplied }) => isApplied).length;
	const stays =
		applied === 0
			? ""
			: ` What was applied (${formatCount(applied, "file")}) stays in ${project}, and deputize can no longer undo it.`;
	return toOneLine(`Dropped ${id} of ${origin.agent}: ${countChangedFiles(change)}.${stays}`);
}

/** A diff for a person: what would cover a line on a terminal, or look like another line, is seen. */
export function renderPatch(patch: string): string {
	return cleanOutsideText(patch.replaceAll(/\r(?!\n)/g, "␍"));
}

/** `src/http.ts, lines 12 to 14: both changed the same lines`. */
export function describeConflict({ path, reason, lines = [] }: Conflict): string {
	const places = lines.map(({ from, to }) => (to > from ? `${from} to ${to}` : String(from)));
	const where =
		places.length === 0
			? ""
			: `, ${places.length === 1 && lines[0]?.to === lines[0]?.from ? "line" : "lines"} ${places.join(", ")}`;
	return toOneLine(`${path}${where}: ${reason}`);
}
