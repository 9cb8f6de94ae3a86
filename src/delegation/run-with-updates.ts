import { defined } from "@deputize/ground";
import type { Child } from "../children/child.ts";
import type { ChildQuestion } from "../contract/child-question.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { CheckData } from "../contract/finalization.ts";
import { TRY_TOOL } from "../toolbox/tool-rows.ts";
import { NOTHING_COLLECTED } from "./collect-output.ts";
import { listReadonlyTools } from "./filter-tools.ts";
import type { RunRecord } from "./open-run-record.ts";
import { presentUpdate, presentWaiting } from "./present-update.ts";
import { type ChildOutcome, runChild } from "./run-child.ts";
import type { RunContext } from "./run-context.ts";
import { createUpdateThrottle } from "./throttle-updates.ts";
import type { LayerWork } from "./work-in-layer.ts";

interface RunParts {
	/** For agents that hand over data with a schema. */
	readonly checkData?: CheckData | undefined;
	/** Of a child that works in a layer. */
	readonly work?: Pick<LayerWork, "open" | "soFar"> | undefined;
}

/** Runs the child when its turn has come, and tells what it does to the host and to the record of the run, which is opened when it is needed first. */
export async function runWithUpdates(
	child: Child,
	task: string,
	context: RunContext,
	openRecord: () => RunRecord,
	{ checkData, work }: RunParts = {},
): Promise<ChildOutcome> {
	await waitForTurn(child, context);
	const { session } = child;
	const plan = work === undefined ? child.plan : await work.open(child.plan, task);
	const { signal, onUpdate } = context.options;
	const readonlyTools = [...listReadonlyTools(context.config, context.parentTools), TRY_TOOL];
	const updates = createUpdateThrottle((collected) => {
		openRecord().noteWriting(collected.unfinishedText);
		onUpdate?.(presentUpdate(plan, collected, context.redact, work?.soFar.read()));
	});
	let newest = NOTHING_COLLECTED;
	work?.soFar.onChange(() => updates.push(newest));
	// A child that waits gets its task first: what is written down about the start is written while it works.
	if (!child.isUp) {
		openRecord();
		updates.push(NOTHING_COLLECTED);
	}
	try {
		return await runChild(plan, task, {
			start: (attempt) => child.start(attempt),
			config: { ...context.config.subagents, finalize: plan.finalize },
			limitNames: context.limitNames,
			...defined({ signal, checkData }),
			isReadonlyTool: (name) => readonlyTools.includes(name),
			onProgress(collected) {
				newest = collected;
				updates.push(collected);
			},
			onEvent: (event) => openRecord().note(event),
			onChild: (pid) => session.noteChild(pid),
			askPerson: bindQuestion(plan.agent.name, context),
			onMessageable: (send) => context.host.onMessageable?.(send && noteMessages(send, openRecord())),
		});
	} finally {
		updates.stop();
	}
}

function bindQuestion(agent: string, { host: { askPerson }, redact }: RunContext) {
	return (
		askPerson &&
		((question: ChildQuestion) => askPerson(agent, { ...question, args: redact.args(question.args) }))
	);
}

async function waitForTurn(child: Child, { options, redact }: RunContext): Promise<void> {
	const { signal, onUpdate } = options;
	if (await child.waitForTurn(() => onUpdate?.(presentWaiting(child.plan, redact)))) return;
	const who = typeof signal?.reason === "string" ? signal.reason : "The run was cancelled.";
	throw new DelegationError("SUBAGENT_FAILED", `${who} It was waiting for a free slot.`, {
		kind: "cancelled",
	});
}

function noteMessages(send: (text: string) => boolean, record: RunRecord): (text: string) => boolean {
	return (text) => {
		const isSent = send(text);
		if (isSent) record.noteInstruction(text);
		return isSent;
	};
}
