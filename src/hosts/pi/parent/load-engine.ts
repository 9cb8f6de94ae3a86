import type { delegate } from "../../../delegation/delegate.ts";
import type { prestartChild } from "../../../delegation/prestart-child.ts";
import type { describeParent } from "./describe-parent.ts";

export interface Engine {
	readonly delegate: typeof delegate;
	readonly prestartChild: typeof prestartChild;
	readonly describeParent: typeof describeParent;
}

/** The walk and all it needs, loaded at the first sign of a delegation: most sessions of a parent have none. */
export async function loadEngine(): Promise<Engine> {
	const [{ delegate }, { prestartChild }, { describeParent }] = await Promise.all([
		import("../../../delegation/delegate.ts"),
		import("../../../delegation/prestart-child.ts"),
		import("./describe-parent.ts"),
	]);
	return { delegate, prestartChild, describeParent };
}
