import { GRANT_VARIABLE, parseChildGrant } from "../../../runtimes/child-grant.ts";
import { rehearseRequest, type StreamModel } from "./rehearse-request.ts";

/** Rehearses when the grant asks for it and this pi can: pi-ai of some versions exports nothing to stream with. */
export function startRehearsal(piAi: object): void {
	const api = parseChildGrant(process.env[GRANT_VARIABLE])?.rehearsalApi;
	const { streamSimple } = piAi as { readonly streamSimple?: StreamModel };
	if (api === undefined || typeof streamSimple !== "function") return;
	void rehearseRequest({
		streamModel: streamSimple,
		api,
		env: process.env,
		isWaiting: () => process.stdin.listenerCount("data") > 0 && !process.stdin.readableEnded,
	});
}
