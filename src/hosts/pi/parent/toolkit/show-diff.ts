import { onAbort } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "../pi-library.ts";
import { drawPatch } from "../render/draw-changes.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { showPanel } from "./panel.ts";

/** A patch that can be scrolled through, until the person has seen enough. */
export function showDiff(
	{ title, patch }: { readonly title: string; readonly patch: string },
	place: {
		readonly context: Pick<ExtensionContext, "ui">;
		readonly library: PiLibrary;
		readonly signal?: AbortSignal | undefined;
	},
): Promise<void> {
	return showPanel<void>(place, (screen, done) => {
		onAbort(place.signal, () => done());
		return createReportPanel(() => ({ title, sections: [], data: null }), {
			...screen,
			draw: (pen) => drawPatch(patch, pen),
			close: () => done(),
		});
	});
}
