import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { PiLibrary } from "../pi-library.ts";
import type { Pen, PenLibrary } from "../render/pen.ts";

export interface PanelOptions {
	readonly library: PenLibrary & Pick<PiLibrary, "matchesKey">;
	readonly theme: Pen["theme"];
	/** Height of the terminal, asked for anew at every drawing: it can be resized. */
	readonly rows: () => number;
	readonly requestRender: () => void;
	readonly close: () => void;
}

export type KeyName = Parameters<PiLibrary["matchesKey"]>[1];

export interface PanelKey {
	readonly key: KeyName;
	/** For the last line of the panel; a key without one is not mentioned. */
	readonly label?: string;
	press(): void;
	/** Another key was pressed. */
	release?(): void;
}

/** Presses the key that was typed and releases the others. False when it is none of them. */
export function pressKey(
	keys: readonly PanelKey[],
	isKey: (key: KeyName) => boolean,
	{ requestRender }: Pick<PanelOptions, "requestRender">,
): boolean {
	const pressed = keys.find(({ key }) => isKey(key));
	const released = keys.filter((key) => key !== pressed && key.release);
	for (const key of released) key.release?.();
	pressed?.press();
	if (pressed || released.length > 0) requestRender();
	return pressed !== undefined;
}

/** From 1.0 on pi scrolls the conversation with PgUp and PgDn unless the focused component wants them. */
export const OWN_PAGE_KEYS: object = { capturesViewportInput: true };

/** At the bottom of the screen and as wide as it. */
const OVER_THE_EDITOR = { anchor: "bottom-left", width: "100%", maxHeight: "100%" } as const;

/**
 * Shows a panel over the editor until it is done. Over it, not in its place: there it would push the cards of agents at
 * work out at the top, and pi clears the whole terminal for every change of a line that is out of sight.
 */
export function showPanel<Result>(
	{ library, context }: { readonly library: PiLibrary; readonly context: Pick<ExtensionContext, "ui"> },
	create: (screen: Omit<PanelOptions, "close">, done: (result: Result) => void) => Component,
): Promise<Result> {
	return context.ui.custom<Result>(
		(tui, theme, _keybindings, done) => {
			const requestRender = (): void => tui.requestRender();
			const component = create({ library, theme, rows: () => tui.terminal.rows, requestRender }, done);
			// pi sets `focused`. While an extension's dialog in the place of the editor has the keys, nothing may cover it.
			const panel = {
				...component,
				focused: true,
				render: (width: number) => (panel.focused ? component.render(width) : []),
			};
			return panel;
		},
		{ overlay: true, overlayOptions: OVER_THE_EDITOR },
	);
}

/** Lines of a panel around what it shows: two rules, the title and the keys, and a gap beside each. */
const FRAME_LINES = 6;
/** Lines of the conversation that stay in sight above it. */
const KEPT_LINES = 2;
const FEWEST_LINES = 3;

/** How many lines a panel can show at once. */
export function countPanelLines({ rows }: Pick<PanelOptions, "rows">): number {
	return Math.max(FEWEST_LINES, rows() - KEPT_LINES - FRAME_LINES);
}

export function drawFrame(
	{
		title,
		lines,
		keys,
	}: { readonly title: string; readonly lines: readonly string[]; readonly keys: string },
	pen: Pen,
): string[] {
	const rule = pen.theme.fg("border", "─".repeat(Math.max(1, pen.width)));
	return [rule, pen.fit(` ${title}`), "", ...lines, "", ...pen.wrap(pen.theme.fg("muted", keys), 1), rule];
}

export function listKeyLabels(keys: readonly PanelKey[]): readonly string[] {
	return keys.flatMap(({ label }) => (label ? [label] : []));
}

/** What can be pressed, the way out last. */
export function describeKeys(keys: readonly PanelKey[], canScroll: boolean): string {
	return [...listKeyLabels(keys), ...(canScroll ? ["↑↓ PgUp PgDn scroll"] : []), "q Esc close"].join(" · ");
}

/** Whether what was typed is one of these keys. */
export function createKeyTest(
	data: string,
	{ library }: Pick<PanelOptions, "library">,
): (...keys: readonly KeyName[]) => boolean {
	return (...keys) => keys.some((key) => data === key || library.matchesKey(data, key));
}
