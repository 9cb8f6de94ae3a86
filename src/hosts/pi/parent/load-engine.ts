import type { delegate } from "../../../delegation/delegate.ts";
import type { startEarly } from "../../../delegation/start-early.ts";
import type { describeParent } from "./describe-parent.ts";

export interface Engine {
	readonly delegate: typeof delegate;
	readonly startEarly: typeof startEarly;
	readonly describeParent: typeof describeParent;
}

/** The walk and all it needs, loaded at the first sign of a delegation: most sessions of a parent have none. */
export async function loadEngine(): Promise<Engine> {
	const [{ delegate }, { startEarly }, { describeParent }] = await Promise.all([
		import("../../../delegation/delegate.ts"),
		import("../../../delegation/start-early.ts"),
		import("./describe-parent.ts"),
	]);
	return { delegate, startEarly, describeParent };
}
