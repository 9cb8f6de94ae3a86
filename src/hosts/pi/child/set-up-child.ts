import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { watchLifeline } from "../../../process/watch-lifeline.ts";
import { type ChildGrant, GRANT_VARIABLE, parseChildGrant } from "../../../runtimes/child-grant.ts";
import { activateMcpTools } from "./activate-mcp-tools.ts";
import { forwardDialogs } from "./forward-dialogs.ts";
import { guardToolCalls } from "./guard-tool-calls.ts";
import { limitTurns } from "./limit-turns.ts";
import { noteRefusals } from "./note-refusals.ts";
import { registerFinalize } from "./register-finalize.ts";
import { registerGrantedTools } from "./register-granted-tools.ts";
import type { WarmUpLibrary } from "./warm-up.ts";

/**
 * Adds the handover, enforces the grant from inside, and ends the child when its parent is gone. Registers
 * neither `subagent` nor `/toolkit`: a child cannot delegate.
 */
export async function setUpChild(pi: ExtensionAPI, library?: WarmUpLibrary): Promise<void> {
	const grant = parseChildGrant(process.env[GRANT_VARIABLE]);
	if (!grant)
		throw new Error(
			`${GRANT_VARIABLE} is missing or broken: this extension only works in a child of deputize.`,
		);
	// Session files contain the conversation, so only their owner may read them. A child that changes files keeps the user's umask.
	if (!grant.mayWrite && grant.workspace === undefined) process.umask(0o077);
	// A message that arrives while the model is answering waits for the next turn.
	const onAnswer = forwardDialogs(pi);
	watchLifeline({ onMessage: (text) => pi.sendUserMessage(text, { deliverAs: "steer" }), onAnswer });
	cleanUpAfterRun(pi, grant);
	activateMcpTools(pi, grant);
	noteRefusals(pi);
	guardToolCalls(pi, grant);
	limitTurns(pi, grant);
	await registerFinalize(pi, grant);
	await registerGrantedTools(pi, grant);
	if (library === undefined) return;
	const { warmUp } = await import("./warm-up.ts");
	const isWaiting = (): boolean => process.stdin.listenerCount("data") > 0 && !process.stdin.readableEnded;
	void warmUp({ library, grant, isWaiting }).catch(() => undefined);
}

/** The parent removes the run's directory too; this covers a parent that was killed. */
function cleanUpAfterRun(pi: ExtensionAPI, grant: ChildGrant): void {
	pi.on("session_start", () => rmSync(join(grant.runDirectory, "system-prompt.md"), { force: true }));
	// Not on session_shutdown: with the parent gone, a write to stdout can end pi before it gets that far.
	process.once("exit", () => {
		try {
			rmSync(grant.runDirectory, { recursive: true, force: true });
		} catch {
			// In a sandbox the empty directory itself remains; the parent's next run sweeps it.
		}
	});
}
