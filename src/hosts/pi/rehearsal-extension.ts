import { createRequire } from "node:module";
import * as piAi from "@earendil-works/pi-ai";
import type { StreamModel } from "./child/rehearse-request.ts";

/**
 * A second extension for a child that was started before its task is known. Apart from the first because its import
 * brings it to pi's slow loader, which no other child should pay for.
 */
export default function rehearsalExtension(): void {
	const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
	const load = createRequire(import.meta.url);
	const { rehearseRequest } = load(
		`./child/rehearse-request${extension}`,
	) as typeof import("./child/rehearse-request.ts");
	const { GRANT_VARIABLE, parseChildGrant } = load(
		`../../runtimes/child-grant${extension}`,
	) as typeof import("../../runtimes/child-grant.ts");
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
