import { relative } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { AgentDefinition } from "../../../contract/agent.ts";

export interface AgentQuestions {
	confirm(
		agent: AgentDefinition,
		context: Pick<ExtensionContext, "cwd" | "ui">,
		signal?: AbortSignal,
	): Promise<boolean>;
}

/**
 * Asks about project agents, one question at a time and one per content: parallel calls of the same agent
 * share the answer, and a no holds until the session ends, so that a model cannot ask again and again. A yes
 * is remembered on disk by whoever asked for the confirmation.
 */
export function createAgentQuestions(): AgentQuestions {
	const answers = new Map<string, Promise<boolean>>();
	let lastQuestion: Promise<unknown> = Promise.resolve();
	return {
		confirm(agent, context, signal) {
			const key = `${agent.contentHash} ${agent.file}`;
			const known = answers.get(key);
			if (known !== undefined) return known;
			const { title, message } = describeQuestion(agent, context.cwd);
			const answer = lastQuestion.then(() =>
				signal?.aborted ? false : context.ui.confirm(title, message, signal ? { signal } : {}),
			);
			lastQuestion = answer.catch(() => undefined);
			answers.set(key, answer);
			const forget = (): void => void answers.delete(key);
			// A dialog closed by cancelling the run is no answer.
			answer.then(() => (signal?.aborted ? forget() : undefined), forget);
			return answer;
		},
	};
}

export function describeQuestion(
	agent: AgentDefinition,
	cwd: string,
): { readonly title: string; readonly message: string } {
	const lines = [
		`File: ${relative(cwd, agent.file) || agent.file}`,
		...(agent.description ? [`Says it is for: ${agent.description.slice(0, 200)}`] : []),
		`Tools it asks for: ${describeTools(agent)}`,
		...(agent.shadows ? [`It replaces the ${agent.shadows} agent of the same name.`] : []),
		"Its text becomes the instructions of a subagent. Read the file before you say yes.",
		"The answer holds for this content; a changed file is asked about again.",
	];
	return { title: `Run the agent "${agent.name}" that came with this project?`, message: lines.join("\n") };
}

function describeTools({ tools }: AgentDefinition): string {
	if (tools.kind === "default") return "the default set for its kind";
	const names = tools.names.join(", ") || "none";
	return tools.kind === "allow" ? names : `everything active here except ${names}`;
}
