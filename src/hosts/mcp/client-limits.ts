import { defined } from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";

export interface ClientLimits {
	/** More is cut by the client, in the middle or with most of it left out. */
	readonly maxResultBytes: number;
	/** A call is answered by then, finished or not; the client gives up soon after. Undefined: it waits. */
	readonly answerWithinMs?: number;
}

interface ClientRow extends Partial<ClientLimits> {
	/** `answerWithinMs` of a call that asked for no progress. */
	readonly quietMs?: number;
}

/** What each client was seen to do; the measurements are in docs/clients.md. */
const CLIENTS: Readonly<Record<string, ClientRow>> = {
	"claude-code": { quietMs: 1_700_000 },
	"codex-mcp-client": { maxResultBytes: 10_000, answerWithinMs: 280_000 },
	"gemini-cli-mcp-client": { answerWithinMs: 570_000 },
	"copilot-cli": { maxResultBytes: 19_000, quietMs: 170_000 },
	opencode: { quietMs: 50_000 },
};

/** Clients built on the official libraries give up after 60 s unless configured otherwise. */
const UNKNOWN_CLIENT: ClientRow = { answerWithinMs: 50_000 };

export function findClientLimits(name: string, wantsProgress: boolean): ClientLimits {
	const row = (Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined) ?? UNKNOWN_CLIENT;
	return defined({
		maxResultBytes: row.maxResultBytes ?? LIMITS.resultBytes,
		answerWithinMs: row.answerWithinMs ?? (wantsProgress ? undefined : row.quietMs),
	});
}
