import { createRequire } from "node:module";
import * as codingAgent from "@earendil-works/pi-coding-agent";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * A second extension for a child that was started before its task is known. Apart from the first because its import
 * brings it to pi's slow loader, which no other child should pay for.
 */
export default function rehearsalExtension(): void {
	const rehearsal = createRequire(import.meta.url)(
		locateEntryPoint("pi-rehearsal"),
	) as typeof import("./child/start-rehearsal.ts");
	rehearsal.startRehearsal(codingAgent);
}
