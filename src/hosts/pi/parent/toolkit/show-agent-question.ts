import { onAbort } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { AgentDefinition } from "../../../../contract/agent.ts";
import type { TrustAnswer } from "../../../../delegation/check-agent-trust.ts";
import type { PiLibrary } from "../pi-library.ts";
import { createReportPanel } from "./create-report-panel.ts";
import { showPanel } from "./panel.ts";
import { showQuestion } from "./show-question.ts";

export interface QuestionContext extends Pick<ExtensionContext, "cwd" | "mode" | "ui"> {
	readonly library: PiLibrary;
}

interface AgentQuestion {
	readonly title: string;
	readonly message: string;
	readonly answers: readonly { readonly label: string; readonly value: TrustAnswer }[];
}

/** Asks in the place of the editor, as often as the person wants to read what they are asked about. */
export async function showAgentQuestion(
	agent: AgentDefinition,
	{ title, message, answers }: AgentQuestion,
	{ library, ui }: QuestionContext,
	signal?: AbortSignal,
): Promise<TrustAnswer> {
	const place = { library, context: { ui } };
	const lines = message.split("\n");
	for (;;) {
		const said = await showQuestion<TrustAnswer | "read">(
			{
				...{ title, lines, answers },
				keys: (done) => [{ key: "f", label: "f whole text", press: () => done("read") }],
			},
			{ ...place, signal },
		);
		if (said !== "read") return said ?? "not-now";
		// As it was parsed, which is what a yes is about: the file itself may have changed since.
		const sections = [
			{ heading: agent.file, lines: lines.map((text) => ({ text })) },
			{ heading: "Its instructions", lines: agent.prompt.split("\n").map((text) => ({ text })) },
		];
		await showPanel<void>(place, (screen, done) => {
			onAbort(signal, () => done());
			return createReportPanel(() => ({ title, sections, data: null }), { ...screen, close: () => done() });
		});
	}
}
