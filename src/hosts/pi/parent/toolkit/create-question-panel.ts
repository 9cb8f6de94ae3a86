import type { Component } from "@earendil-works/pi-tui";
import { createPen, type Pen, toPlainText } from "../render/pen.ts";
import {
	countPanelLines,
	createKeyTest,
	drawFrame,
	listKeyLabels,
	OWN_PAGE_KEYS,
	type PanelKey,
	type PanelOptions,
	pressKey,
} from "./panel.ts";

interface QuestionPanelOptions<Answer> extends PanelOptions {
	readonly title: string;
	readonly lines: readonly string[];
	/** The first is chosen until the person chooses otherwise. */
	readonly answers: readonly { readonly label: string; readonly value: Answer }[];
	readonly keys: readonly PanelKey[];
	readonly answer: (value: Answer) => void;
}

/**
 * A question that can appear while somebody types. No letter moves the choice: in pi's own selector a `j` does, and
 * "just go on" with Enter would choose the second answer.
 */
export function createQuestionPanel<Answer>(options: QuestionPanelOptions<Answer>): Component {
	const { library, theme, answers } = options;
	let chosen = 0;
	const move = (by: number): void => {
		chosen = Math.max(0, Math.min(answers.length - 1, chosen + by));
		options.requestRender();
	};
	return {
		...OWN_PAGE_KEYS,
		render(width) {
			const pen = createPen(library, theme, width);
			const room = Math.max(1, countPanelLines(options) - answers.length - 1);
			return drawFrame(
				{
					title: theme.fg("accent", theme.bold(toPlainText(options.title))),
					lines: [
						...drawWhatFits(options.lines, room, pen),
						"",
						...answers.map(({ label }, index) =>
							pen.fit(index === chosen ? theme.fg("accent", ` → ${label}`) : theme.fg("text", `   ${label}`)),
						),
					],
					keys: [...listKeyLabels(options.keys), "↑↓ Enter answer", "Esc not now"].join(" · "),
				},
				pen,
			);
		},
		handleInput(data) {
			const isKey = createKeyTest(data, options);
			if (isKey("escape", "ctrl+c")) return options.close();
			if (pressKey(options.keys, isKey, options)) return;
			if (isKey("up")) move(-1);
			if (isKey("down")) move(1);
			const value = answers[chosen]?.value;
			if (isKey("enter") && value !== undefined) options.answer(value);
		},
		invalidate: () => undefined,
	};
}

function drawWhatFits(lines: readonly string[], room: number, pen: Pen): readonly string[] {
	const drawn = lines.flatMap((line) => pen.wrap(pen.theme.fg("text", toPlainText(line)), 1));
	return drawn.length <= room ? drawn : [...drawn.slice(0, room - 1), pen.theme.fg("muted", " …")];
}
