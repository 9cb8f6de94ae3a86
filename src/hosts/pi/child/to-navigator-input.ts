import { defined, joinTextBlocks } from "@deputize/ground";
import type { NavigatorInput } from "@deputize/navigator";
import type { TranscriptContext } from "@earendil-works/pi-ai";
import { FINALIZE_TOOL, isFeedback, TASK_IS_MISSING } from "../../../contract/finalization.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";

type Message = TranscriptContext["messages"][number];

type Step = NavigatorInput["steps"][number];
type Call = Pick<Step, "tool" | "args">;

interface Round {
	readonly task: string;
	answer: string;
	steps: Step[];
}

/** pi's transcript as the navigator sees it: the current task with its tool calls, and what was answered before. */
export function toNavigatorInput(context: TranscriptContext, grant: ChildGrant): NavigatorInput {
	const rounds = splitRounds(context.messages);
	const current = rounds.at(-1);
	return {
		agent: grant.agent,
		task: current?.task ?? "",
		tools: grant.tools,
		steps: current?.steps ?? [],
		history: rounds.slice(0, -1).map(({ task, answer }) => ({ task, answer })),
		...defined({ verbose: grant.verbose }),
	};
}

/** A round begins with each task, goes on after feedback about it, and ends with what was handed over for it. */
function splitRounds(messages: readonly Message[]): readonly Round[] {
	const rounds: Round[] = [];
	const calls = new Map<string, Call>();
	for (const message of messages) {
		const task = message.role === "user" ? joinTextBlocks(message.content) : undefined;
		const isAboutTask = task !== undefined && isFeedback(task);
		if (isAboutTask && rounds.length === 0) throw new Error(TASK_IS_MISSING);
		if (task !== undefined && !isAboutTask) rounds.push({ task, answer: "", steps: [] });
		const round = rounds.at(-1);
		if (round) addToRound(round, message, calls);
	}
	return rounds;
}

function addToRound(round: Round, message: Message, calls: Map<string, Call>): void {
	if (message.role === "assistant") {
		for (const block of message.content) {
			if (block.type !== "toolCall") continue;
			calls.set(block.id, { tool: block.name, args: block.arguments });
			if (block.name === FINALIZE_TOOL) round.answer = String(block.arguments["result"] ?? "");
		}
	}
	if (message.role !== "toolResult") return;
	const call = calls.get(message.toolCallId);
	if (!call || call.tool === FINALIZE_TOOL) return;
	round.steps.push({ ...call, text: joinTextBlocks(message.content), isError: message.isError });
}
