import { createPen } from "../render/pen.ts";
import { drawFrame, OWN_PAGE_KEYS, showPanel } from "./panel.ts";

/** One line of a person. Undefined when they say nothing. In a panel: pi's own dialog pushes the cards of agents at work out of sight. */
export async function askText(
	title: string,
	place: Parameters<typeof showPanel>[0],
): Promise<string | undefined> {
	const text = await showPanel<string | undefined>(place, (screen, done) => {
		const input = new place.library.Input();
		input.focused = true;
		input.onSubmit = done;
		input.onEscape = () => done(undefined);
		return {
			...OWN_PAGE_KEYS,
			render(width) {
				const { theme } = screen;
				const pen = createPen(screen.library, theme, width);
				return drawFrame(
					{
						title: theme.fg("accent", theme.bold(title)),
						lines: input.render(width),
						keys: "Enter send · Esc cancel",
					},
					pen,
				);
			},
			handleInput(data) {
				input.handleInput(data);
				screen.requestRender();
			},
			invalidate: () => input.invalidate(),
		};
	});
	return text?.trim() || undefined;
}
