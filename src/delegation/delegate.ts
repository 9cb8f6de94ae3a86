import { resolve } from "node:path";
import { createValidator, defined, messageOf } from "@deputize/ground";
import { readSurroundings } from "../config/read-surroundings.ts";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { CheckData } from "../contract/finalization.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { DelegationRequest } from "../contract/request.ts";
import type { DelegationResult } from "../contract/result.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { buildPlan, createRunId } from "./build-plan.ts";
import { checkAllowed } from "./check-allowed.ts";
import { NOTHING_COLLECTED } from "./collect-output.ts";
import { decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";
import { listReadonlyTools } from "./filter-tools.ts";
import { type LentServers, lendServers } from "./lend-servers.ts";
import { openRunRecord, type RunRecord } from "./open-run-record.ts";
import { openSessionFor } from "./open-session-for.ts";
import { presentUpdate, presentWaiting } from "./present-update.ts";
import type { PlanChild } from "./prestarted-child.ts";
import { recordDelegation } from "./record-delegation.ts";
import { createRedact } from "./redact.ts";
import { type ChildOutcome, type RunChildOptions, runChild } from "./run-child.ts";
import type { RunContext } from "./run-context.ts";
import { createUpdateThrottle } from "./throttle-updates.ts";
import { toRefusedResult, toResult } from "./to-result.ts";
import { validateRequest } from "./validate-request.ts";

/**
 * The walk from a request to a result. A failure is returned in the same shape as a success; whatever is
 * thrown out of here is a bug. The request is validated anyway: it comes from a model, or from a program without types.
 */
export async function delegate(
	input: DelegationRequest,
	options: DelegateOptions = {},
): Promise<DelegationResult> {
	const startedAt = performance.now();
	const surroundings = readSurroundings(options.env);
	const cwd = resolve(options.cwd ?? process.cwd());
	const redact = createRedact(surroundings, cwd);
	const finish = (result: DelegationResult, tools: readonly string[] = []): DelegationResult => {
		recordDelegation(result, {
			...{ surroundings, redact, input, tools, cwd },
			durationMs: performance.now() - startedAt,
			start: record?.start,
		});
		record?.close(result);
		return result;
	};
	let session: OpenSession | undefined;
	let record: RunRecord | undefined;
	let giveBackSlot: (() => void) | undefined;
	let servers: LentServers | undefined;
	try {
		const context: RunContext = { ...createDelegationContext(options, surroundings), redact };
		checkAllowed(context.config.subagents, surroundings.depth);
		const request = validateRequest(input);
		const decisions = await decideChild(request.agent, context);
		const checkData = await createDataCheck(decisions.agent);
		servers = await lendServers(decisions, context);
		const planned = { ...context, host: { ...context.host, ...defined({ lspSocket: servers.socket }) } };
		const planChild: PlanChild = (runId, session) => buildPlan(runId, decisions, session, planned);
		// Before waiting for a slot, so that the first update already says which session to join or cancel.
		const prestarted = context.host.prestarted?.claim(request, planChild, options.signal);
		session = prestarted?.session ?? openSessionFor(request.sessionId, decisions.agent, context);
		const plan = prestarted?.plan ?? planChild(createRunId(), session.plan);
		giveBackSlot = await takeSlot(plan, context);
		const notices = [
			...context.notices,
			context.runtimeNotice(decisions.agent),
			decisions.model.notice,
			session.notice,
		];
		for (const notice of notices) if (notice) options.onNotice?.(notice);
		const openRecord = (): RunRecord => (record ??= openRunRecord(plan, request.task, context));
		// A child that waits gets its task first: what is written down about the start is written while it works.
		if (!prestarted) openRecord();
		const child = defined({ checkData, prepared: prestarted?.child });
		const outcome = await runWithUpdates(plan, request.task, session, context, openRecord, child);
		const ended = { ...outcome, resumable: session.isResumable() };
		const result = toResult(plan, request.task, ended, redact, context.host.maxResultBytes);
		return finish(result, plan.tools);
	} catch (error) {
		if (error instanceof DelegationError) return finish(toRefusedResult(error, redact));
		throw error;
	} finally {
		record?.close();
		giveBackSlot?.();
		session?.close();
		await servers?.close();
	}
}

async function takeSlot(plan: ChildPlan, context: RunContext): Promise<(() => void) | undefined> {
	const { signal, onUpdate } = context.options;
	if (!context.host.slots) return undefined;
	const giveBack = await context.host.slots.take({
		...defined({ signal }),
		onWait: () => onUpdate?.(presentWaiting(plan, context.redact)),
	});
	if (!giveBack) {
		const who = typeof signal?.reason === "string" ? signal.reason : "The run was cancelled.";
		throw new DelegationError("SUBAGENT_FAILED", `${who} It was waiting for a free slot.`, {
			kind: "cancelled",
		});
	}
	return giveBack;
}

/** Runs before anything is started or claimed: an unusable schema is a mistake in the agent's file. */
async function createDataCheck({ output, file }: AgentDefinition): Promise<CheckData | undefined> {
	if (output === undefined) return undefined;
	try {
		return await createValidator(output);
	} catch (error) {
		throw new DelegationError(
			"INVALID_INPUT",
			`The output schema of ${file} cannot be used: ${messageOf(error)}.`,
		);
	}
}

async function runWithUpdates(
	plan: ChildPlan,
	task: string,
	session: OpenSession,
	context: RunContext,
	openRecord: () => RunRecord,
	child: Pick<RunChildOptions, "checkData" | "prepared">,
): Promise<ChildOutcome> {
	const { signal, onUpdate } = context.options;
	const readonlyTools = listReadonlyTools(context.config, context.parentTools);
	const updates = createUpdateThrottle((collected) => {
		openRecord().noteWriting(collected.unfinishedText);
		onUpdate?.(presentUpdate(plan, collected, context.redact));
	});
	if (!child.prepared) updates.push(NOTHING_COLLECTED);
	try {
		return await runChild(plan, task, {
			runtime: await context.runtime(plan.agent),
			config: { ...context.config.subagents, finalize: plan.finalize },
			...child,
			limitNames: context.limitNames,
			...defined({ signal }),
			isReadonlyTool: (name) => readonlyTools.includes(name),
			onProgress: (collected) => updates.push(collected),
			onEvent: (event) => openRecord().note(event),
			onChild: (pid) => session.noteChild(pid),
			onMessageable: (send) => context.host.onMessageable?.(send && noteMessages(send, openRecord())),
		});
	} finally {
		updates.stop();
	}
}

function noteMessages(send: (text: string) => boolean, record: RunRecord): (text: string) => boolean {
	return (text) => {
		const isSent = send(text);
		if (isSent) record.noteInstruction(text);
		return isSent;
	};
}
