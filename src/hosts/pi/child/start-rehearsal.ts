import { GRANT_VARIABLE, parseChildGrant } from "../../../runtimes/child-grant.ts";
import { hasRehearsalLibrary, rehearseTurns } from "./rehearse-turns.ts";

/** Rehearses when the grant asks for it and this pi exports what that takes. */
export function startRehearsal(codingAgent: object): void {
	const grant = parseChildGrant(process.env[GRANT_VARIABLE]);
	const api = grant?.rehearsalApi;
	if (grant === undefined || api === undefined || !hasRehearsalLibrary(codingAgent)) return;
	void rehearseTurns({
		library: codingAgent,
		grant,
		api,
		env: process.env,
		isWaiting: () => process.stdin.listenerCount("data") > 0 && !process.stdin.readableEnded,
	});
}
