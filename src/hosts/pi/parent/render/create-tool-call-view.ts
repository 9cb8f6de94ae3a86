import { toOneLine } from "@deputize/ground";
import type { Theme } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { formatArguments } from "./draw-step.ts";
import { createPen, type PenLibrary } from "./pen.ts";

/** The call line of a tool of ours: its name and the values it was called with. */
export function createToolCallView(
	library: PenLibrary,
): (name: string, args: unknown, theme: Theme) => Component {
	return (name, args, theme) => ({
		render(width) {
			const values = toOneLine(formatArguments((args ?? {}) as Readonly<Record<string, unknown>>));
			const pen = createPen(library, theme, width);
			return [pen.fit(`${theme.fg("toolTitle", theme.bold(name))} ${theme.fg("muted", values)}`)];
		},
		invalidate: () => undefined,
	});
}
