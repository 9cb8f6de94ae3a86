import { hostname } from "node:os";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Surroundings } from "../../../../config/read-surroundings.ts";
import type { DelegationResult } from "../../../../contract/result.ts";
import { identifyProcess, isProcessAlive, isThisMachine } from "../../../../process/identify-process.ts";
import { type FileLock, takeFileLock } from "../../../../process/take-file-lock.ts";
import { countUsage } from "../count-usage.ts";
import { ANSWER_MESSAGE } from "../custom-types.ts";
import {
	type BackgroundRecord,
	type BackgroundRecords,
	openBackgroundRecords,
} from "./background-records.ts";
import { listDelivered } from "./list-delivered.ts";

type DetachedRun = Omit<BackgroundRecord, "owner" | "result">;

/** A run may end in another part of this process, after its session was left and opened again. */
const LOOK_AGAIN_MS = 500;

type Session = Pick<ExtensionContext["sessionManager"], "getSessionId" | "getEntries">;

/**
 * Runs that nobody waits for, and the delivery of their answers, exactly once. What was delivered is what the session
 * contains: the record goes only when the message is there, and it is sent again while it is not. Nothing is sent
 * while the model works, because pi drops what is queued when a person cancels. The same session can be open in several
 * terminals: the one where the run was let go delivers its answer, and when that is gone, the first that claims it.
 */
export function createBackground(pi: Pick<ExtensionAPI, "sendMessage">, surroundings: Surroundings) {
	const { agentDirectory } = surroundings;
	/** Sent and not seen in the session yet. */
	const sent = new Set<string>();
	const claims = new Map<string, FileLock | undefined>();
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;
	const openRecords = (session: Session): BackgroundRecords =>
		openBackgroundRecords(agentDirectory, session.getSessionId());

	const claim = (runId: string, records: BackgroundRecords): boolean => {
		if (claims.has(runId)) return true;
		const lock = takeClaim(records.lockFile(runId));
		if (lock === "taken") return false;
		claims.set(runId, lock);
		// Whoever had it until now may have delivered it.
		if (records.has(runId)) return true;
		unclaim(runId);
		return false;
	};
	const unclaim = (runId: string): void => {
		claims.get(runId)?.release();
		claims.delete(runId);
	};

	const deliver = async (context: ExtensionContext): Promise<void> => {
		clearTimeout(timer);
		if (isClosed) return;
		const { sessionManager } = context;
		const records = openRecords(sessionManager);
		const open = records.list();
		if (open.length === 0) return;
		const delivered = listDelivered(sessionManager);
		for (const { runId } of open.filter((record) => delivered.has(record.runId))) {
			sent.delete(runId);
			records.remove(runId);
			unclaim(runId);
		}
		const missing = open.filter((record) => !delivered.has(record.runId));
		// One at a time: the first makes the model work, and the others wait until it has settled.
		const next = context.isIdle()
			? missing.find((record) => isOver(record) && !sent.has(record.runId) && claim(record.runId, records))
			: undefined;
		if (next) await send(next, context);
		if (missing.length > 0) lookAgain(context);
	};

	const lookAgain = (context: ExtensionContext): void => {
		clearTimeout(timer);
		if (isClosed) return;
		timer = setTimeout(() => void deliver(context).catch(() => undefined), LOOK_AGAIN_MS).unref();
	};

	const send = async (record: BackgroundRecord, context: ExtensionContext): Promise<void> => {
		sent.add(record.runId);
		const result = record.result ?? (await loadLostRun(record, surroundings));
		if (isClosed || !context.isIdle()) {
			sent.delete(record.runId);
			return;
		}
		const { agent, task, runId } = record;
		countUsage(context, runId, result.details.results[0]);
		pi.sendMessage(
			{
				customType: ANSWER_MESSAGE,
				content: `The agent ${agent} has ended, which ran in the background on this task:\n\n${task}\n\n${result.text}`,
				display: true,
				details: { runId, agent, task, isError: result.isError, details: result.details },
			},
			result.isQuiet ? { triggerTurn: false } : { triggerTurn: true, deliverAs: "followUp" },
		);
	};

	return {
		/** Looks for answers that are not in the session yet. */
		deliver,
		/** The model has finished its turn. */
		noteSettled(context: ExtensionContext): void {
			// What was sent and is not in the session now was dropped on its way.
			sent.clear();
			// pi is not idle before its handlers have returned.
			lookAgain(context);
		},
		/** Notes a run that is about to be let go; throws when that cannot be noted. Its end is noted and delivered. */
		detach(
			run: DetachedRun,
			result: Promise<DelegationResult>,
			{ context, isStopped }: { readonly context: ExtensionContext; readonly isStopped: () => boolean },
		): void {
			const records = openRecords(context.sessionManager);
			const record: BackgroundRecord = {
				...run,
				owner: { ...identifyProcess(process.pid), host: hostname() },
			};
			records.write(record);
			claim(record.runId, records);
			const noteEnd = (end: NonNullable<BackgroundRecord["result"]>): void => {
				records.write({ ...record, result: end });
				void deliver(context).catch(() => undefined);
			};
			result.then(
				({ content, isError, details }) =>
					noteEnd({ text: content[0].text, isError, details, isQuiet: isStopped() }),
				// A bug of ours is an end too: the model must not wait for ever.
				async () => noteEnd(await loadLostRun(record, surroundings)),
			);
			lookAgain(context);
		},
		close(): void {
			isClosed = true;
			clearTimeout(timer);
			for (const runId of [...claims.keys()]) unclaim(runId);
		},
	};
}

/** Where it cannot be noted who delivers, an answer that comes twice is better than none. */
function takeClaim(file: string): FileLock | "taken" | undefined {
	try {
		return takeFileLock(file) ?? "taken";
	} catch {
		return undefined;
	}
}

export type Background = ReturnType<typeof createBackground>;

function isOver({ result, owner }: BackgroundRecord): boolean {
	return result !== undefined || (isThisMachine(owner.host) && !isProcessAlive(owner));
}

async function loadLostRun(
	record: BackgroundRecord,
	surroundings: Surroundings,
): Promise<NonNullable<BackgroundRecord["result"]>> {
	return (await import("./describe-lost-run.ts")).describeLostRun(record, surroundings);
}
