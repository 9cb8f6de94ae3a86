import type { delegate } from "../../../delegation/delegate.ts";
import type { describeDelegation } from "../../../delegation/describe-delegation.ts";
import type { listAdvertised } from "../../../delegation/list-advertised.ts";
import type { prestartChild } from "../../../delegation/prestart-child.ts";
import type { parentDeathPrefix } from "../../../process/bind-to-parent.ts";
import type { findRecentAgent } from "../../../sessions/find-recent-agent.ts";
import type { describeParent } from "./describe-parent.ts";

/** What it takes to start a child, and to get ready for that. */
export interface Starter {
	readonly prestartChild: typeof prestartChild;
	readonly describeParent: typeof describeParent;
	readonly describeDelegation: typeof describeDelegation;
	readonly listAdvertised: typeof listAdvertised;
	readonly findRecentAgent: typeof findRecentAgent;
	readonly parentDeathPrefix: typeof parentDeathPrefix;
}

/** Loaded at the first sign of a delegation, or while nothing happens: most sessions of a parent have none. */
export async function loadStarter(): Promise<Starter> {
	const [prestart, parent, description, advertised, recent, death] = await Promise.all([
		import("../../../delegation/prestart-child.ts"),
		import("./describe-parent.ts"),
		import("../../../delegation/describe-delegation.ts"),
		import("../../../delegation/list-advertised.ts"),
		import("../../../sessions/find-recent-agent.ts"),
		import("../../../process/bind-to-parent.ts"),
		// Nearly every child inside pi is one of pi.
		import("../../../runtimes/pi/create-pi-runtime.ts"),
	]);
	return {
		prestartChild: prestart.prestartChild,
		describeParent: parent.describeParent,
		describeDelegation: description.describeDelegation,
		listAdvertised: advertised.listAdvertised,
		findRecentAgent: recent.findRecentAgent,
		parentDeathPrefix: death.parentDeathPrefix,
	};
}

/**
 * The walk and all it needs, redaction above all: more than the rest together, and not needed before a child boots. Its regular
 * expressions are compiled at their first use, which takes longer than everything else that follows the answer of a child,
 * so that happens now too.
 */
export async function loadWalk(): Promise<typeof delegate> {
	const [{ delegate }, { sanitizeOutput }] = await Promise.all([
		import("../../../delegation/delegate.ts"),
		import("../../../text/sanitize-output.ts"),
	]);
	sanitizeOutput(SAMPLE);
	return delegate;
}

/** Has something of what most rules look for. */
const SAMPLE =
	'See `src/a.ts:12`: password = "none", Authorization: Bearer none, https://a:b@example.com/?token=none\n';
