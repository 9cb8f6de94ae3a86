import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "./render-screen.ts";

const LOOK_AGAIN_MS = 150;
/** A recording that is longer was not meant. */
const MOST_FRAMES = 400;

/** Every screen that was seen while `act` ran, with the time it was first seen. */
export async function filmScreen(
	look: () => readonly string[],
	act: () => Promise<void>,
): Promise<readonly Frame[]> {
	const started = Date.now();
	const frames: Frame[] = [];
	let isOver = false;
	const takeFrame = (): void => {
		const lines = look();
		const isNew = lines.join("\n") !== frames.at(-1)?.lines.join("\n");
		if (isNew) frames.push({ lines, atMs: Date.now() - started });
	};
	const acting = act().finally(() => {
		isOver = true;
	});
	while (!isOver && frames.length < MOST_FRAMES) {
		takeFrame();
		await Promise.race([acting, sleep(LOOK_AGAIN_MS)]);
	}
	await acting;
	takeFrame();
	return frames;
}
