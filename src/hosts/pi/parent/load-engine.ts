import type { delegate } from "../../../delegation/delegate.ts";

/** What it takes to start a child, and to get ready for that. */
export type Starter = Awaited<ReturnType<typeof loadStarter>>;

/** Loaded at the first sign of a delegation, or while nothing happens: most sessions of a parent have none. */
export async function loadStarter() {
	const [
		{ planWaitingChild },
		{ describeParent },
		{ describeDelegation },
		{ listAdvertised },
		{ findRecentAgent },
		{ parentDeathPrefix },
	] = await Promise.all([
		import("../../../delegation/plan-child.ts"),
		import("./describe-parent.ts"),
		import("../../../delegation/describe-delegation.ts"),
		import("../../../delegation/list-advertised.ts"),
		import("../../../sessions/find-recent-agent.ts"),
		import("../../../process/bind-to-parent.ts"),
		// Nearly every child inside pi is one of pi.
		import("../../../runtimes/pi/create-pi-runtime.ts"),
	]);
	return {
		planWaitingChild,
		describeParent,
		describeDelegation,
		listAdvertised,
		findRecentAgent,
		parentDeathPrefix,
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
		import("@deputize/redaction"),
	]);
	sanitizeOutput(SAMPLE);
	return delegate;
}

/** Has something of what most rules look for. */
const SAMPLE =
	'See `src/a.ts:12`: password = "none", Authorization: Bearer none, https://a:b@example.com/?token=none\n';
