import { onAbort } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "../pi-library.ts";
import { createQuestionPanel } from "./create-question-panel.ts";
import type { PanelKey } from "./panel.ts";
import { showPanel } from "./panel.ts";

interface ShownQuestion<Answer> {
	readonly title: string;
	readonly lines: readonly string[];
	readonly answers: readonly { readonly label: string; readonly value: Answer }[];
	/** Further keys; `done` ends the question with something that is no answer of the list. */
	readonly keys?: (done: (answer: Answer) => void) => readonly PanelKey[];
}

/** Asks in the place of the editor. Undefined when the person put it off, or nobody needs the answer any more. */
export function showQuestion<Answer>(
	{ title, lines, answers, keys }: ShownQuestion<Answer>,
	place: {
		readonly context: Pick<ExtensionContext, "ui">;
		readonly library: PiLibrary;
		readonly signal?: AbortSignal | undefined;
	},
): Promise<Answer | undefined> {
	return showPanel<Answer | undefined>(place, (screen, done) => {
		onAbort(place.signal, () => done(undefined));
		return createQuestionPanel<Answer>({
			...{ ...screen, title, lines, answers },
			keys: keys?.(done) ?? [],
			answer: done,
			close: () => done(undefined),
		});
	});
}
