import { toOneLine } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ChildAnswer, ChildQuestion } from "../../../contract/child-question.ts";
import { renderCall } from "../../../delegation/render-activity.ts";
import type { PiLibrary } from "./pi-library.ts";

const NO = "No, refuse the call";
const YES = "Yes, let it";

interface Asking {
	readonly context: Pick<ExtensionContext, "mode" | "ui">;
	readonly library: PiLibrary;
	readonly signal: AbortSignal;
}

/**
 * Puts the question of an extension in a child to the person here, with who asks and for what. No is chosen until the
 * person chooses otherwise.
 */
export async function askForChild(
	agent: string,
	question: ChildQuestion,
	{ context, library, signal }: Asking,
): Promise<ChildAnswer> {
	const { kind, tool, args, message = "", options = [] } = question;
	const title = `${toOneLine(agent)} wants to call ${toOneLine(renderCall(tool, args))}`;
	const lines = [question.title, ...message.split("\n")].map(toOneLine).filter((line) => line !== "");
	if (kind === "input") return context.ui.input([title, ...lines].join("\n"), undefined, { signal });
	// Without the "no" of ours, the first option of a list would be what Enter chooses.
	const answers: { label: string; value: { readonly said: ChildAnswer } }[] = [
		{ label: NO, value: { said: undefined } },
		...(kind === "confirm"
			? [{ label: YES, value: { said: true } }]
			: options.map((option) => ({ label: toOneLine(option), value: { said: option } }))),
	];
	if (context.mode !== "tui") {
		const labels = answers.map(({ label }) => label);
		const chosen = await context.ui.select([title, ...lines].join("\n"), labels, { signal });
		return answers.find(({ label }) => label === chosen)?.value.said;
	}
	const { showQuestion } = await import("./toolkit/show-question.ts");
	return (await showQuestion({ title, lines, answers }, { context, library, signal }))?.said;
}
