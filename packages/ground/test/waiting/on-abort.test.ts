import { expect, it } from "vitest";
import { onAbort } from "../../waiting/on-abort.ts";

it("reacts once, also to a signal that is aborted already, and not after it was told to stop listening", () => {
	const controller = new AbortController();
	let calls = 0;
	const count = () => (): void => {
		calls += 1;
	};
	onAbort(controller.signal, count());
	onAbort(controller.signal, count())();
	onAbort(undefined, count())();
	expect(calls).toBe(0);
	controller.abort();
	expect(calls).toBe(1);
	onAbort(controller.signal, count());
	expect(calls).toBe(2);
});
