import { join, relative, resolve } from "node:path";
import { canonicalPath, expandHome, isInside, messageOf } from "@deputize/ground";
import { ChangesError } from "../changes/changes-error.ts";
import { collectChanges } from "../changes/collect-changes.ts";
import { findOverlaps } from "../changes/find-overlaps.ts";
import { handOverChanges } from "../changes/hand-over-changes.ts";
import { type OpenedLayer, openLayer } from "../changes/open-layer.ts";
import { readPatch } from "../changes/read-patch.ts";
import { watchLayer } from "../changes/watch-layer.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { FileRules } from "../contract/file-rules.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan, LayerUse } from "../contract/plan.ts";
import type { ResultChanges } from "../contract/result.ts";
import { GitError } from "../git/git-error.ts";
import { createSoFar } from "./changes-so-far.ts";
import { chooseOutput } from "./choose-output.ts";
import type { ChildOutcome } from "./run-child.ts";
import type { RunContext } from "./run-context.ts";
import { settleChanges } from "./settle-changes.ts";
import { type LayerOutcome, toResultChanges } from "./to-result-changes.ts";

/**
 * The layer of one run: opened when its child may start, and collected at every ending. A run that writes more than it may
 * is stopped through the signal of `context`.
 */
export function createLayerWork(given: RunContext, use: LayerUse) {
	const tooMuch = new AbortController();
	const { signal } = given.options;
	const context: RunContext = {
		...given,
		options: {
			...given.options,
			signal: signal ? AbortSignal.any([signal, tooMuch.signal]) : tooMuch.signal,
		},
	};
	const handOver = use === "to-change" ? given.host.handOver : undefined;
	let layer: OpenedLayer | undefined;
	let unwatch: (() => void) | undefined;
	const soFar = createSoFar(given.redact);
	const collect = async (): Promise<LayerOutcome | undefined> => {
		const opened = layer;
		layer = undefined;
		unwatch?.();
		if (opened === undefined) return undefined;
		const { isolation } = opened;
		try {
			if (handOver !== undefined) {
				const { changes, patch } = (await handOverChanges(opened, handOver)) ?? {};
				if (patch !== undefined) handOver.take(patch);
				return { isolation, changes, isHandedOver: true };
			}
			const changes = await collectChanges(opened);
			if (changes === undefined) return { isolation, changes };
			// What others did to the same files is told where it can be found out; the change is there in any case.
			const overlaps = await findOverlaps(opened.place, changes.id).catch(() => []);
			return { isolation, changes, overlaps, ...(await readBeginning(changes.id, opened)) };
		} catch (error) {
			const rest = handOver?.keepsRest === false ? "" : ", and is kept";
			const problem = `What it changed could not be collected${rest}: ${messageOf(error)}`;
			return { isolation, changes: undefined, problem };
		}
	};
	return {
		context,
		soFar,
		/** The plan of a child that works in the layer. */
		async open(plan: ChildPlan, task: string): Promise<ChildPlan> {
			const { agent, runId, session } = plan;
			layer = await openOrRefuse({
				...given.surroundings,
				directory: plan.cwd,
				origin: {
					agent: agent.name,
					task: given.redact.head(task, MAX_TASK_CHARS),
					runId,
					sessionId: session.id,
				},
				...(use === "to-try"
					? { isThrownAway: true }
					: given.config.subagents.isolation === "copy"
						? { isolation: "copy" as const }
						: {}),
				isHandedOver: handOver !== undefined,
				signal: context.options.signal,
			});
			if (layer.notice !== undefined) given.options.onNotice?.(layer.notice);
			const { maxLayerMb } = given.config.subagents;
			if (use !== "to-try") soFar.follow(layer);
			unwatch = watchLayer(layer, {
				maxMb: maxLayerMb,
				onTooLarge: (why) =>
					tooMuch.abort(
						`The run was stopped: ${why}.${use === "to-change" && handOver === undefined ? " What it wrote is kept." : ""}`,
					),
				onTouched: soFar.note,
			});
			const { mount, directory, project, state } = layer;
			if (mount !== undefined) return { ...plan, cwd: directory, layer: { mount, root: project } };
			const root = join(state, "copy");
			const fileRules = moveRules(plan.fileRules, { from: project, to: root, home: given.surroundings.home });
			return { ...plan, cwd: directory, fileRules, layer: { mount, root } };
		},
		/** What was changed, and what became of it; undefined when no layer was opened, or one whose changes nobody keeps. */
		async settle({ collected, verdict }: ChildOutcome): Promise<ResultChanges | undefined> {
			const outcome = await collect();
			if (outcome === undefined || use === "to-try") return undefined;
			const changes = toResultChanges(outcome, collected, given.redact);
			if (verdict.kind !== "success" || handOver !== undefined) return changes;
			return settleChanges(changes, chooseOutput(collected, verdict, given.redact), given);
		},
		/** For an ending before there was an outcome. */
		async close(): Promise<void> {
			await collect();
		},
	};
}

export type LayerWork = ReturnType<typeof createLayerWork>;

const MAX_TASK_CHARS = 500;

/** A copy is in the agent directory, which is closed; what the user closed in the project is closed in it. */
function moveRules(
	{ readable, unreadable }: FileRules,
	{ from, to, home }: { readonly from: string; readonly to: string; readonly home: string },
): FileRules {
	const moved = unreadable
		.map((path) => canonicalPath(resolve(from, expandHome(path, home))))
		.filter((path) => isInside(from, path))
		.map((path) => join(to, relative(from, path)));
	return { readable: [...readable, to], unreadable: [...unreadable, ...moved] };
}

/** Without a patch that was too large to read, the rest is told all the same. */
async function readBeginning(id: string, { place }: OpenedLayer): Promise<Pick<LayerOutcome, "patch">> {
	try {
		const patch = await readPatch(place, id);
		const isCut = patch.length > LIMITS.maxPatchBytes;
		const text = patch.subarray(0, LIMITS.maxPatchBytes).toString("utf8");
		return { patch: { text: isCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text, isCut } };
	} catch (error) {
		if (error instanceof ChangesError || error instanceof GitError) return {};
		throw error;
	}
}

async function openOrRefuse(options: Parameters<typeof openLayer>[0]): Promise<OpenedLayer> {
	try {
		return await openLayer(options);
	} catch (error) {
		if (error instanceof ChangesError || error instanceof GitError)
			throw new DelegationError("SUBAGENT_FAILED", error.message);
		throw error;
	}
}
