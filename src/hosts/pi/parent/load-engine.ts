import type { delegate } from "../../../delegation/delegate.ts";
import type { startEarly } from "../../../delegation/start-early.ts";

export interface Engine {
	readonly delegate: typeof delegate;
	readonly startEarly: typeof startEarly;
}

/** The walk and all it needs, loaded at the first sign of a delegation: most sessions of a parent have none. */
export async function loadEngine(): Promise<Engine> {
	const [{ delegate }, { startEarly }] = await Promise.all([
		import("../../../delegation/delegate.ts"),
		import("../../../delegation/start-early.ts"),
	]);
	return { delegate, startEarly };
}
