import { formatCount, toOneLine } from "@deputize/ground";
import { findChange } from "../../../../changes/find-changes.ts";
import { findOverlaps } from "../../../../changes/find-overlaps.ts";
import { readPatch } from "../../../../changes/read-patch.ts";
import type { CommandContext } from "../../../../commands/command-context.ts";
import { countChangedFiles, nameChangeState } from "../../../../commands/describe-changes.ts";
import { listChangesHere } from "../../../../commands/list-changes-here.ts";
import type { ChangedFile, ChangeSet } from "../../../../contract/changes.ts";
import { createRedact } from "../../../../delegation/redact.ts";
import { describeOverlap } from "../../../../delegation/to-result-changes.ts";
import { drawFile } from "../render/draw-changes.ts";
import type { Pen } from "../render/pen.ts";
import { createListPanel } from "./create-list-panel.ts";
import { createStopKey } from "./create-stop-key.ts";
import { type PanelKey, showPanel } from "./panel.ts";
import { changeOne, toSaid } from "./run-changes.ts";
import { showDiff } from "./show-diff.ts";
import type { Toolkit } from "./toolkit.ts";

interface ChangesView extends Pick<Toolkit, "library" | "context"> {
	readonly commands: CommandContext;
}

/** What came of the last key. */
interface Said {
	readonly text: string;
	readonly isError: boolean;
}

/** The changes of agents in this project until the person has seen enough; `id`, or the beginning of one, opens it first. */
export async function showChanges(view: ChangesView, id?: string): Promise<void> {
	let open: string | undefined;
	let said: Said | undefined;
	try {
		if (id !== undefined) open = findChange(view.commands.surroundings, id).record.id;
	} catch (error) {
		said = toSaid(error);
	}
	let selected = open;
	for (;;) {
		if (open !== undefined) said = await showChange(view, open);
		open = await showChangesList(view, { selected, said });
		if (open === undefined) return;
		selected = open;
		said = undefined;
	}
}

async function showChangesList(
	view: ChangesView,
	{ selected, said }: { readonly selected: string | undefined; readonly said: Said | undefined },
): Promise<string | undefined> {
	const { changes, notices } = await listChangesHere(view.commands);
	const pending = changes.filter(({ state }) => state === "pending").length;
	return showPanel<string | undefined>(view, (screen, done) =>
		createListPanel({
			...screen,
			title: () => `Changes of agents here: ${pending} not applied, ${changes.length} in all`,
			notes: (pen) => [
				...notices.flatMap((text) => pen.wrap(pen.theme.fg("warning", toOneLine(text)), 1)),
				...drawSaid(said, pen),
			],
			empty: "No agent changed anything here. subagents.writers lists those that may.",
			items: () => changes.map((change) => ({ id: change.id, draw: (pen) => drawChange(change, pen) })),
			selected,
			onSelect: () => undefined,
			keys: (id) =>
				id === undefined ? [] : [{ key: "enter", label: "Enter look, choose, apply", press: () => done(id) }],
			close: () => done(undefined),
		}),
	);
}

const STATE_MARKS = {
	open: { glyph: "●", color: "accent" },
	pending: { glyph: "?", color: "warning" },
	applied: { glyph: "✓", color: "success" },
} as const;

function drawChange(change: ChangeSet, { theme }: Pen): readonly string[] {
	const { glyph, color } = STATE_MARKS[change.state];
	const { agent, task } = change.origin;
	const facts = [
		countChangedFiles(change),
		nameChangeState(change),
		...(change.wasInterrupted ? ["its agent was interrupted"] : []),
		change.createdAt.slice(0, 16).replace("T", " "),
		change.id,
	];
	return [
		` ${theme.fg(color, glyph)} ${theme.fg("toolTitle", theme.bold(toOneLine(agent)))}  ${theme.fg("muted", toOneLine(task))}`,
		`   ${theme.fg("muted", facts.join(" · "))}`,
	];
}

/** One change with its files, all of which are chosen at first. Returns what is to be said when it is gone. */
async function showChange(view: ChangesView, id: string): Promise<Said | undefined> {
	const { surroundings, cwd } = view.commands;
	const { text: redact } = createRedact(surroundings, cwd);
	const toDropKey = createStopKey(Date.now, "drop");
	const left = new Set<string>();
	let said: Said | undefined;
	let selected: string | undefined;
	for (;;) {
		const change = (await listChangesHere(view.commands)).changes.find((one) => one.id === id);
		if (change === undefined) return said ?? { text: `There is no change ${id} here.`, isError: true };
		const overlaps = (await findOverlaps(surroundings, change.id)).map(describeOverlap);
		const chosen = change.files.filter(({ path, isApplied }) => !isApplied && !left.has(path));
		const action = await showPanel<Action>(view, (screen, done) => {
			const list = (): readonly ChangedFile[] =>
				change.files.filter(({ path, isApplied }) => !isApplied && !left.has(path));
			return createListPanel({
				...screen,
				title: () => describeOneChange(change, list()),
				notes: (pen) => [
					...(change.state === "applied" ? [] : overlaps).flatMap((text) =>
						pen.wrap(pen.theme.fg("warning", text), 1),
					),
					...drawOthers(change, pen),
					...drawSaid(said, pen),
				],
				empty: "Nothing that could be applied.",
				items: () =>
					change.files.map((file) => ({
						id: file.path,
						draw: (pen) => [drawChosen(file, left.has(file.path), pen)],
					})),
				selected,
				onSelect(path) {
					selected = path;
				},
				keys: (path) => listChangeKeys({ change, path, left, toDropKey, chosen: list() }, done),
				close: () => done({ type: "close" }),
			});
		});
		if (action.type === "close") return undefined;
		if (action.type === "diff") {
			const patch = redact((await readPatch(surroundings, change.id)).toString("utf8"));
			await showDiff(toDiff(change, patch, action.path), view);
			said = undefined;
			continue;
		}
		said = await changeOne(
			action.type,
			{ id: change.id, ...(action.type === "apply" ? { files: action.files } : {}) },
			surroundings,
		);
		if (action.type === "drop" && !said.isError) return said;
		if (chosen.length === 0) left.clear();
	}
}

type Action =
	| { readonly type: "close" | "undo" | "drop" }
	| { readonly type: "diff"; readonly path?: string | undefined }
	| { readonly type: "apply"; readonly files: readonly string[] };

function listChangeKeys(
	shown: {
		readonly change: ChangeSet;
		readonly path: string | undefined;
		readonly left: Set<string>;
		readonly chosen: readonly ChangedFile[];
		readonly toDropKey: ReturnType<typeof createStopKey>;
	},
	done: (action: Action) => void,
): readonly PanelKey[] {
	const { change, path, left, chosen, toDropKey } = shown;
	const isApplied = (name: string | undefined): boolean =>
		change.files.some((file) => file.path === name && file.isApplied);
	const isPartial = chosen.length < change.files.filter((file) => !file.isApplied).length;
	const what = isPartial ? ` ${formatCount(chosen.length, "file")}` : " all";
	const keys: readonly (PanelKey | false)[] = [
		path !== undefined && { key: "enter", label: "Enter diff", press: () => done({ type: "diff", path }) },
		change.files.length > 1 && { key: "d", label: "d whole diff", press: () => done({ type: "diff" }) },
		change.state === "pending" &&
			path !== undefined &&
			!isApplied(path) && {
				key: "space",
				label: "Space choose",
				press: () => void (left.delete(path) || left.add(path)),
			},
		change.state === "pending" &&
			chosen.length > 0 && {
				key: "a",
				label: `a apply${what}`,
				press: () => done({ type: "apply", files: chosen.map((file) => file.path) }),
			},
		change.files.some((file) => file.isApplied) && {
			key: "u",
			label: "u undo",
			press: () => done({ type: "undo" }),
		},
		change.state !== "open" && toDropKey(change.id, () => done({ type: "drop" })),
	];
	return keys.filter((key) => key !== false);
}

function describeOneChange(change: ChangeSet, chosen: readonly ChangedFile[]): string {
	const some =
		change.state === "pending" && chosen.length < change.files.length ? ` · ${chosen.length} chosen` : "";
	return `${change.origin.agent} ${change.id}: ${countChangedFiles(change)}, ${nameChangeState(change)}${some}`;
}

function drawChosen(file: ChangedFile, isLeft: boolean, pen: Pen): string {
	const { theme } = pen;
	const mark = file.isApplied
		? theme.fg("success", "✓")
		: isLeft
			? theme.fg("muted", "○")
			: theme.fg("accent", "●");
	return `  ${mark} ${drawFile(file, pen)}${file.isApplied ? theme.fg("muted", " applied") : ""}`;
}

function drawOthers({ ignored, repositories }: ChangeSet, pen: Pen): readonly string[] {
	const told = [
		{ paths: ignored, why: "ignored by Git" },
		{ paths: repositories, why: "in another repository" },
	].flatMap(({ paths, why }) =>
		paths.count === 0
			? []
			: [
					`${formatCount(paths.count, "path")} ${why}, in the layer only: ${paths.names.map(toOneLine).join(", ")}`,
				],
	);
	return told.map((text) => pen.fit(` ${pen.theme.fg("warning", text)}`));
}

function drawSaid(said: Said | undefined, pen: Pen): readonly string[] {
	if (said === undefined) return [];
	const color = said.isError ? "error" : "success";
	return said.text.split("\n").flatMap((line) => pen.wrap(pen.theme.fg(color, toOneLine(line)), 1));
}

/** Of one file, where its part can be told: both lists are in the order of Git. */
function toDiff(
	{ id, files }: ChangeSet,
	patch: string,
	path: string | undefined,
): { readonly title: string; readonly patch: string } {
	const parts = patch.split(/^(?=diff --git )/m);
	const part =
		parts.length === files.length ? parts[files.findIndex((file) => file.path === path)] : undefined;
	return part === undefined
		? { title: `The diff of ${id}`, patch }
		: { title: `${path} of ${id}`, patch: part };
}
