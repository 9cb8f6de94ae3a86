import { createSlots, type Slots } from "@deputize/ground";
import { processWideState } from "./live-children.ts";

/** Each takes a core and up to a gigabyte for seconds. */
const MAX_HEAVY = 2;

/**
 * One gate for all heavy work (converting documents, rendering pages) of all tools and sessions in this process. A model
 * may ask for a lot of it in one message.
 */
export function heavyWork(): Slots {
	const state = processWideState();
	state.heavyWork ??= createSlots(MAX_HEAVY);
	return state.heavyWork;
}
