import { defined, formatCount, toOneLine } from "@deputize/ground";
import type { ChangedFile, ChangeOverlap, ChangeSet, NamedPaths } from "../contract/changes.ts";
import type { CommandRecord, ResultChanges } from "../contract/result.ts";
import type { Collected } from "./collect-output.ts";
import type { Redact } from "./redact.ts";

/** What a child in a layer came to. */
export interface LayerOutcome {
	readonly isolation: ChangeSet["isolation"];
	/** Undefined when nothing was changed. */
	readonly changes: ChangeSet | undefined;
	/** What `git apply` takes, or the beginning of it. */
	readonly patch?: { readonly text: string; readonly isCut: boolean };
	/** The host has taken them, and nothing is kept. */
	readonly isHandedOver?: boolean;
	readonly overlaps?: readonly ChangeOverlap[];
	/** Why they could not be collected: everything stays where it is, and is tried again by the next who looks. */
	readonly problem?: string;
}

const MAX_COMMAND_CHARS = 200;
const MAX_NAMED = 8;
const NOTHING: NamedPaths = { count: 0, names: [] };

/** What a child in a layer did, as every door shows it. */
export function toResultChanges(
	{ isolation, changes, patch, overlaps = [], problem, isHandedOver = false }: LayerOutcome,
	{ commands, refusedCalls }: Pick<Collected, "commands" | "refusedCalls">,
	redact: Redact,
): ResultChanges {
	const redactPaths = ({ count, names }: NamedPaths): NamedPaths => ({
		count,
		names: names.map((name) => redact.text(name)),
	});
	return {
		...defined({
			id: changes?.id,
			patch: patch && redact.head(patch.text, patch.text.length),
			isPatchCut: patch?.isCut ? (true as const) : undefined,
			overlaps: overlaps.length === 0 ? undefined : overlaps.map((other) => redactOverlap(other, redact)),
			problem: problem === undefined ? undefined : redact.text(problem),
		}),
		isolation,
		state: changes === undefined ? "none" : isHandedOver ? "handed-over" : "pending",
		files: (changes?.files ?? []).map((file) => redactFile(file, redact)),
		added: changes?.added ?? 0,
		removed: changes?.removed ?? 0,
		ignored: redactPaths(changes?.ignored ?? NOTHING),
		repositories: redactPaths(changes?.repositories ?? NOTHING),
		commands: toCommandRecords(commands, redact),
		refusedCalls,
	};
}

export function toCommandRecords(commands: Collected["commands"], redact: Redact): readonly CommandRecord[] {
	return commands.map(({ command, exitCode }) => ({
		command: redact.head(toOneLine(command), MAX_COMMAND_CHARS),
		exitCode,
	}));
}

function redactOverlap({ files, ...rest }: ChangeOverlap, redact: Redact): ChangeOverlap {
	return { ...rest, files: files.map((file) => redact.text(file)) };
}

function redactFile({ path, from, ...rest }: ChangedFile, redact: Redact): ChangedFile {
	return { path: redact.text(path), ...rest, ...(from === undefined ? {} : { from: redact.text(from) }) };
}

/** For the model and the person, below the answer: what was changed, that it is not applied, and what can be done about it. */
export function noteChanges(changes: ResultChanges): readonly string[] {
	const { id, state } = changes;
	const lines = [
		...listNotes(changes),
		...(id === undefined || state !== "pending"
			? []
			: [`To look, apply or drop: deputize changes show ${id}, apply ${id}, drop ${id}`]),
		...(state === "applied" ? [`To take it back: deputize changes undo ${id}`] : []),
	];
	return [lines.join("\n")];
}

/** The same without the commands, where there are keys for it. */
export function listNotes(changes: ResultChanges): readonly string[] {
	const { files, ignored, repositories, commands, refusedCalls, problem, state } = changes;
	return [
		summarizeChanges(changes),
		...(files.length > 0 ? [listChanged(files)] : []),
		...(state === "pending" ? (changes.overlaps ?? []).map(describeOverlap) : []),
		...tellOthers("ignored by Git", ignored),
		...tellOthers("in repositories of their own", repositories),
		...noteCommands(commands),
		...(refusedCalls > 0
			? [
					`${formatCount(refusedCalls, "call")} of tools that change something ${refusedCalls === 1 ? "was" : "were"} refused.`,
				]
			: []),
		...(problem === undefined ? [] : [problem]),
	];
}

export function noteCommands(commands: readonly CommandRecord[] = []): readonly string[] {
	if (commands.length === 0) return [];
	return [`Commands: ${commands.slice(-MAX_NAMED).map(renderCommand).join("; ")}`];
}

/** `Changes 1a2b3c4d: 2 files +52 −3, not applied yet (in a layer over the project)`. */
export function summarizeChanges(changes: ResultChanges): string {
	const { id, isolation, state, files, problem } = changes;
	if (id === undefined)
		return problem === undefined
			? "No file was changed, whatever the answer says."
			: "What it changed is not known.";
	const where = isolation === "layer" ? "a layer over the project" : "a copy of the project";
	const told = `Changes ${id}: ${formatCount(files.length, "file")} ${renderCounts(changes)}`;
	if (state === "applied") return `${told}, applied to the project.`;
	if (state === "handed-over") return `${told}, handed over: the project is as it was.`;
	return state === "dropped"
		? `${told}, dropped by the user: the project is as it was.`
		: `${told}, not applied yet: they are in ${where}, and the project is as it was.`;
}

/** `src/http.ts was also changed by fixer (3f2a91c0, not applied).` */
export function describeOverlap({ id, agent, state, files }: ChangeOverlap): string {
	const named = files.slice(0, MAX_NAMED).map(toOneLine).join(", ");
	const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
	const verb = files.length === 1 ? "was" : "were";
	return `${named}${more} ${verb} also changed by ${toOneLine(agent)} (${id}, ${OVERLAP_STATES[state]}).`;
}

const OVERLAP_STATES = { open: "still at work", pending: "not applied", applied: "applied since" } as const;

function listChanged(files: readonly ChangedFile[]): string {
	const more = files.length - MAX_NAMED;
	return [
		...files.slice(0, MAX_NAMED).map(renderChangedFile),
		...(more > 0 ? [`and ${formatCount(more, "more file")}`] : []),
	].join(", ");
}

function renderChangedFile({ path, from, status, ...lines }: ChangedFile): string {
	const name = from === undefined ? toOneLine(path) : `${toOneLine(from)} → ${toOneLine(path)}`;
	const note = status === "added" ? " (new)" : status === "deleted" ? " (deleted)" : "";
	return `${name} ${renderCounts(lines)}${note}`;
}

export function renderCounts({ added, removed }: Pick<ChangedFile, "added" | "removed">): string {
	return added === undefined && removed === undefined ? "(not text)" : `+${added ?? 0} −${removed ?? 0}`;
}

export function renderCommand({ command, exitCode }: CommandRecord): string {
	return `${command} → ${exitCode === null ? "stopped" : exitCode}`;
}

function tellOthers(what: string, { count, names }: NamedPaths): readonly string[] {
	if (count === 0) return [];
	const more = count - Math.min(names.length, MAX_NAMED);
	const named = names.slice(0, MAX_NAMED).map(toOneLine).join(", ");
	return [
		`Changed in the layer only, because they are ${what}, and never applied: ${named}${more > 0 ? ` and ${more} more` : ""}`,
	];
}
