import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import { expect, it } from "vitest";
import { watchScreen } from "../../../../../../src/hosts/pi/parent/render/watch-screen.ts";

/** The interface of a pi whose terminal keeps these fields, or none of them. */
function open(terminal: object): (line: string) => boolean {
	const setWidget = (_key: string, content: unknown): void => {
		if (typeof content === "function") content(terminal, {});
	};
	return watchScreen({ setWidget } as Pick<ExtensionUIContext, "setWidget">);
}

it("knows what has scrolled out, where the terminal tells", () => {
	const isOnScreen = open({ previousLines: ["\u001b[1mfirst\u001b[22m", "second"], previousViewportTop: 1 });
	expect([isOnScreen("first"), isOnScreen("second"), isOnScreen("third")]).toEqual([false, true, false]);
});

it("takes everything for scrolled out where a pi has no such fields or other ones", () => {
	for (const terminal of [
		{},
		{ previousLines: "none", previousViewportTop: 0 },
		{ previousLines: ["first"] },
	])
		expect(open(terminal)("first")).toBe(false);
	expect(watchScreen({ setWidget: () => undefined })("first"), "no widgets").toBe(false);
	expect(open({ getScreenLines: () => [] })("first"), "a pi that scrolls itself").toBe(true);
});
