import { defined } from "@deputize/ground";
import type { TranscriptCall, TranscriptEntry } from "./transcript.ts";

/** What the model wrote in one answer, apart from its calls. */
export function showAnswer(answer: {
	readonly at: number;
	readonly thinking?: string | undefined;
	readonly text: string;
	readonly error?: string | undefined;
}): readonly TranscriptEntry[] {
	const { at, thinking, text, error } = answer;
	return [
		...(thinking ? [{ kind: "thinking", at, text: thinking } as const] : []),
		...(text ? [{ kind: "text", at, text } as const] : []),
		...(error ? [{ kind: "note", at, note: "failure", text: error } as const] : []),
	];
}

/** A call, with its end where it has one. */
export function showCall(
	{ at, id, name, args }: Pick<TranscriptCall, "at" | "id" | "name" | "args">,
	end: { readonly at: number; readonly isError: boolean } | undefined,
	result: string | undefined,
): TranscriptCall {
	return {
		...{ kind: "call", at, id, name, args },
		...defined({ endedAt: end?.at, isError: end?.isError ? (true as const) : undefined, result }),
	};
}
