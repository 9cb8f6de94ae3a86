import { escapeNonAscii, renderSseEvent } from "@deputize/ground";
import type { ChildEvent } from "../contract/event.ts";
import { NO_USAGE } from "../contract/usage.ts";
import { LoopError } from "./loop-error.ts";
import type { TurnOutlet } from "./turn-sender.ts";

/** Every name the program may put on stdout. `child_event` appears only for this package's own runtime. */
type OutputEventType =
	| "response_start"
	| "output_text"
	| "reasoning_content"
	| "tool_call"
	| "tool_result"
	| "block_end"
	| "output_structured"
	| "error"
	| "response_end"
	| "child_event";

export interface OpenTurn extends TurnOutlet {
	/** The model's text so far in this turn. */
	partialText(): string;
	end(): void;
}

interface OutletOptions {
	/** Returns what to wait for before writing more, when the reader does not keep up. */
	readonly write: (text: string) => Promise<void> | undefined;
	readonly plain: boolean;
	readonly structured: boolean;
	readonly reportsEvents: boolean;
}

/** Text, reasoning and arguments of one turn together: all of it is held until the turn is over. */
const MAX_TURN_CHARS = 32 * 1024 * 1024;
const DONE_MARKER = "=== [ DONE ] ===";

export function createProgramOutlet(options: OutletOptions) {
	let pending = "";
	let isOpen = true;
	let failureTold = false;

	function put(text: string): void {
		if (isOpen) pending += text;
	}
	function flush(): Promise<void> | undefined {
		if (pending === "") return undefined;
		const text = pending;
		pending = "";
		return options.write(text);
	}
	/** `more`: fields beyond the three that every event has. */
	function emit(
		type: OutputEventType,
		id: string,
		delta: string,
		more: Readonly<Record<string, string>> = {},
	): void {
		if (!options.plain) put(renderSseEvent(type, { id, delta, type, ...more }));
	}
	function emitText(delta: string): void {
		if (options.structured) return;
		if (options.plain) put(delta);
		else emit("output_text", "", delta);
	}

	function report(event: ChildEvent): void {
		if (!options.reportsEvents) return;
		if (event.type === "assistant-message" && event.errorMessage !== undefined) failureTold = true;
		emit("child_event", "", JSON.stringify(event));
		void flush();
	}

	return {
		/** A turn begins. Text is passed on as it comes, unless the answer will be delivered as one JSON value. */
		openTurn(): OpenTurn {
			let announced = options.structured;
			let responseId = "";
			let text = "";
			let hasOutput = false;
			let chars = 0;
			// Held back until something follows: an attempt that failed at once leaves no trace when it is repeated.
			function announce(delta: string): void {
				hasOutput = true;
				chars += delta.length;
				if (chars > MAX_TURN_CHARS) {
					throw new LoopError(
						"answer_too_large",
						`The model wrote more than ${MAX_TURN_CHARS} characters in one turn.`,
					);
				}
				if (announced) return;
				announced = true;
				emit("response_start", responseId, "");
			}
			return {
				start(id) {
					responseId = id;
				},
				text(delta) {
					announce(delta);
					text += delta;
					emitText(delta);
				},
				reasoning(delta) {
					if (delta === "") return;
					announce(delta);
					emit("reasoning_content", "", delta);
				},
				toolCall(id, delta, name) {
					announce(delta);
					emit("tool_call", id, delta, name === "" ? {} : { name });
				},
				hasOutput: () => hasOutput,
				partialText: () => text,
				flush,
				end() {
					announce("");
					if (!options.structured) emit("block_end", "", "");
					void flush();
				},
			};
		},
		toolResult(id: string, text: string): void {
			emit("tool_result", id, text);
			void flush();
		},
		structured(json: string): void {
			if (options.plain) put(escapeNonAscii(json));
			else emit("output_structured", "", json);
		},
		report,
		/** A failure in the form the runtime reads. A turn that failed has reported it already. */
		reportFailure(message: string, aborted: boolean): void {
			if (failureTold) return;
			report({
				type: "assistant-message",
				text: "",
				toolCalls: [],
				stopReason: aborted ? "aborted" : "error",
				errorMessage: message,
				usage: NO_USAGE,
			});
		},
		/** The final output on stdout, success or not. A failure is reported in a separate event before it. */
		close(failure?: { readonly code: string; readonly message: string }): void {
			if (options.plain && failure === undefined) put(`\n\n${DONE_MARKER}\n`);
			if (failure !== undefined) emit("error", "", failure.message, { code: failure.code });
			emit("response_end", "", "");
			void flush();
			isOpen = false;
		},
	};
}

export type ProgramOutlet = ReturnType<typeof createProgramOutlet>;
