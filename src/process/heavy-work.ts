import { createSlots, type Slots } from "../waiting/create-slots.ts";
import { processWideState } from "./live-children.ts";

/** Each takes a core and up to a gigabyte for seconds. */
const MAX_HEAVY = 2;

/**
 * One gate for everything that is heavy: conversions of documents and renderings of pages, of all tools and sessions of
 * this process together. A model asks for many of them in one message.
 */
export function heavyWork(): Slots {
	const state = processWideState();
	state.heavyWork ??= createSlots(MAX_HEAVY);
	return state.heavyWork;
}
