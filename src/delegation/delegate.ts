import { defined } from "@deputize/ground";
import type { Child } from "../children/child.ts";
import { ChildPool } from "../children/child-pool.ts";
import { readSurroundings } from "../config/read-surroundings.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { DelegationRequest } from "../contract/request.ts";
import type { DelegationResult } from "../contract/result.ts";
import { keepAnswer } from "../sessions/keep-answer.ts";
import { checkAllowed } from "./check-allowed.ts";
import { createDataCheck } from "./create-data-check.ts";
import { type ChildDecisions, decideChild } from "./decide-child.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";
import { type LentServers, lendServers } from "./lend-servers.ts";
import { openRunRecord, type RunRecord } from "./open-run-record.ts";
import { parseDelegateOptions } from "./parse-delegate-options.ts";
import { planChild } from "./plan-child.ts";
import { recordDelegation } from "./record-delegation.ts";
import { createRedact } from "./redact.ts";
import type { RunContext } from "./run-context.ts";
import { runWithUpdates } from "./run-with-updates.ts";
import { toRefusedResult, toResult } from "./to-result.ts";
import { validateRequest } from "./validate-request.ts";
import type { LayerWork } from "./work-in-layer.ts";

/**
 * The walk from a request to a result. A failure is returned in the same shape as a success; whatever is
 * thrown out of here is a bug. The request is validated anyway: it comes from a model, or from a program without types.
 */
export async function delegate(
	input: DelegationRequest,
	given: DelegateOptions = {},
): Promise<DelegationResult> {
	const startedAt = performance.now();
	const { options, cwd } = parseDelegateOptions(given);
	const children = options.host?.children ?? new ChildPool();
	const refusal = await children.admit();
	const surroundings = readSurroundings(options.env);
	const redact = createRedact(surroundings, cwd);
	let child: Child | undefined;
	let record: RunRecord | undefined;
	const finish = (result: DelegationResult, tools: readonly string[] = []): DelegationResult => {
		const durationMs = performance.now() - startedAt;
		const ran = { start: record?.start, calls: record?.countCalls() };
		recordDelegation(result, { surroundings, redact, input, tools, cwd, durationMs, ...ran });
		record?.close(result);
		return result;
	};
	let servers: LentServers | undefined;
	let work: LayerWork | undefined;
	try {
		if (refusal !== undefined) throw refusal;
		const context: RunContext = { ...createDelegationContext(given, surroundings), redact };
		checkAllowed(context.config.subagents, surroundings.depth);
		const { agent, task, sessionId } = validateRequest(input);
		const decisions = await decideChild(agent, context);
		// Many may have waited for the same answer, such as the list of models.
		await children.admit();
		const checkData = await createDataCheck(decisions.agent);
		servers = await lendServers(decisions, context);
		const planned = await planChild(decisions, { ...context, host: servers.host });
		// Before its turn has come, so that the first update already says which session to join or cancel.
		work = await createWork(decisions, context);
		const run = work?.context ?? context;
		child = await children.take(planned, { sessionId, signal: run.options.signal });
		const { plan, session } = child;
		const notices = [...context.notices, ...decisions.notices, session.notice];
		for (const notice of notices) if (notice) options.onNotice?.(notice);
		const openRecord = (): RunRecord => (record ??= openRunRecord(plan, task, context));
		const parts = { checkData, work };
		const outcome = await runWithUpdates(child, task, run, openRecord, parts);
		const changes = await work?.settle(outcome);
		const notice = session.notice;
		const ended = { ...outcome, resumable: session.isResumable(), ...defined({ notice, changes }) };
		const { maxResultBytes } = context.host;
		const keep = (output: string): string => keepAnswer(output, { home: surroundings.home, plan });
		return finish(toResult(plan, task, ended, redact, { maxResultBytes, keepAnswer: keep }), plan.tools);
	} catch (error) {
		if (error instanceof DelegationError) return finish(toRefusedResult(error, redact));
		throw error;
	} finally {
		record?.close();
		await work?.close();
		await child?.end();
		await servers?.close();
	}
}

/** Most children only read, and need nothing of it. */
async function createWork(
	{ granted }: Pick<ChildDecisions, "granted">,
	context: RunContext,
): Promise<LayerWork | undefined> {
	const { worksInLayer: use } = granted;
	return use ? (await import("./work-in-layer.ts")).createLayerWork(context, use) : undefined;
}
