import type { DelegationUpdate } from "../../../../contract/result.ts";
import { presentRunning } from "../../../../delegation/present-running.ts";
import type { DelegationCall, Delegations, StartedRun } from "../delegations.ts";
import { readCall } from "../read-call.ts";
import type { SessionRun } from "../session-runs.ts";
import type { Background } from "./create-background.ts";

const HOW_TO_GO_ON =
	"It goes on in the background. Its answer comes as a message of its own: do not wait for it and do not start it again. Go on with other work, or end your turn.";

/** The answer to a call whose run goes on. Undefined when that could not be noted: then the call waits as usual. */
export function letGo(
	update: DelegationUpdate,
	started: StartedRun,
	{
		call,
		background,
		runs,
	}: { readonly call: DelegationCall; readonly background: Background; readonly runs: Delegations["runs"] },
): DelegationUpdate | undefined {
	const { runId, sessionId } = update.details;
	if (runId === undefined || sessionId === undefined) return undefined;
	const { agent, task } = readCall(call.input);
	const findRun = (): SessionRun | undefined => runs.list().find(({ id }) => id === call.toolCallId);
	const startedAt = findRun()?.startedAt ?? Date.now();
	try {
		background.detach({ runId, sessionId, agent, task }, started.result, {
			context: call.context,
			isStopped: () => findRun()?.isStopped === true,
		});
	} catch (error) {
		call.context.ui.notify(
			`${agent} was not sent to the background: this could not be noted (${String(error)}).`,
			"warning",
		);
		return undefined;
	} finally {
		runs.offerDetach(call.toolCallId, undefined);
	}
	started.letGo();
	runs.noteDetached(call.toolCallId);
	const elapsedMs = Date.now() - startedAt;
	const text = presentRunning({ agent, sessionId, elapsedMs, update, howToGoOn: HOW_TO_GO_ON });
	const { mode } = update.details;
	return {
		content: [{ type: "text", text }],
		details: { mode, runId, sessionId, results: [], detached: true },
	};
}
