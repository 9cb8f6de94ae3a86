import type { PrestartedChild } from "../../../delegation/prestarted-child.ts";

/** A tool call as the model writes it: fields appear, and grow, one after the other. */
export interface WrittenCall {
	/** Position in the message: the only name a call has from its first fragment to its last. */
	readonly contentIndex: number;
	readonly arguments: Readonly<Record<string, unknown>>;
	/** Nothing more will be written. */
	readonly complete: boolean;
}

export interface PrestartedChildren {
	/** Looks at a call that is being written, and starts its child as soon as its agent is certain. */
	follow(call: WrittenCall): void;
	/** The message is complete: calls have names now. Children of calls that are not in it are terminated. */
	assign(calls: ReadonlyMap<number, string>): void;
	/** Takes the child of a call, if one was started. The taker discards it when it is not used. */
	take(toolCallId: string): Promise<PrestartedChild | undefined>;
	/** Puts down the child of a call that is over without having taken it. */
	drop(toolCallId: string): void;
	/** Puts down every child that nobody took; resolves when they are gone. */
	dropAll(): Promise<void>;
}

type Starting = Promise<PrestartedChild | undefined>;

/**
 * Children started while the model still types their task. `mayStart` says whether another one fits beside
 * those that were started here and not taken yet.
 */
export function createPrestartedChildren(options: {
	readonly start: (agent: string) => Starting;
	readonly mayStart: (waiting: number) => boolean;
}): PrestartedChildren {
	const written = new Map<number, Starting>();
	const assigned = new Map<string, Starting>();
	const leaving = new Set<Promise<void>>();

	const putDown = (starting: Starting): void => {
		const gone = starting
			.then((child) => child?.discard())
			.catch(() => undefined)
			.finally(() => leaving.delete(gone));
		leaving.add(gone);
	};
	const drop = (toolCallId: string): void => {
		const starting = assigned.get(toolCallId);
		assigned.delete(toolCallId);
		if (starting !== undefined) putDown(starting);
	};
	return {
		follow(call) {
			const agent = parseCertainAgent(call);
			if (agent === undefined || written.has(call.contentIndex)) return;
			if (!options.mayStart(written.size + assigned.size)) return;
			written.set(
				call.contentIndex,
				options.start(agent).catch(() => undefined),
			);
		},
		assign(calls) {
			for (const [contentIndex, starting] of written) {
				const toolCallId = calls.get(contentIndex);
				if (toolCallId === undefined) putDown(starting);
				else assigned.set(toolCallId, starting);
			}
			written.clear();
		},
		async take(toolCallId) {
			const starting = assigned.get(toolCallId);
			assigned.delete(toolCallId);
			return starting;
		},
		drop,
		async dropAll() {
			for (const starting of written.values()) putDown(starting);
			written.clear();
			for (const toolCallId of [...assigned.keys()]) drop(toolCallId);
			await Promise.all(leaving);
		},
	};
}

/**
 * The agent's name, once it can no longer grow: the next field has begun. A call that goes on with a session
 * gets no child ahead of it, because which session that is decides how the child is started.
 */
export function parseCertainAgent(call: WrittenCall): string | undefined {
	const agent = call.arguments["agent"];
	if (typeof agent !== "string" || agent === "" || "sessionId" in call.arguments) return undefined;
	const mayGrow = !call.complete && Object.keys(call.arguments).at(-1) === "agent";
	return mayGrow ? undefined : agent;
}
