import { type Component, Input, type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import { showPanel } from "../../../../../../src/hosts/pi/parent/toolkit/panel.ts";

it("a panel covers no dialog that has the keys, and is back when it is answered", () => {
	const terminal = { rows: 24, columns: 80, hideCursor() {}, write() {} } as unknown as Terminal;
	const tui = new TuiMainScreen(terminal);
	tui.requestRender = () => {};
	const editor = new Input();
	tui.addChild(editor);
	tui.setFocus(editor);
	const shown: Component[] = [];
	const custom = (create: (...given: unknown[]) => Component) => {
		const panel = create(tui, {}, {}, () => {});
		shown.push(panel);
		tui.showOverlay(panel);
		return new Promise(() => {});
	};
	const place = { library: {}, context: { ui: { custom } } } as unknown as Parameters<typeof showPanel>[0];
	void showPanel(place, () => ({ render: () => ["the panel"], invalidate() {} }));
	const read = () => shown.flatMap((panel) => panel.render(80));
	expect(read()).toEqual(["the panel"]);

	// As pi shows the dialog of an extension: in the place of the editor.
	const dialog = new Input();
	tui.removeChild(editor);
	tui.addChild(dialog);
	tui.setFocus(dialog);
	expect(dialog.focused).toBe(true);
	expect(read()).toEqual([]);

	tui.removeChild(dialog);
	tui.addChild(editor);
	tui.setFocus(editor);
	expect(read()).toEqual(["the panel"]);
});
