import type { LoopProviderName } from "../contract/loop-providers.ts";
import type { RequestEdit } from "./negotiate-request.ts";
import type {
	NativeOutput,
	Provider,
	ResponsesDialect,
	TurnRequest,
	TurnSink,
} from "./providers/provider.ts";

/** How structured output is asked for, from the provider's own mode down to words in the prompt. */
type OutputLevel = "native" | "json_object" | "prompt";

/** What this server taught us; kept for the rest of the run so that each lesson costs one request. */
interface Adaptation {
	readonly edits: RequestEdit[];
	outputLevel: OutputLevel;
	dialect: ResponsesDialect | undefined;
	/** The model takes no tools: it gets none, and what it writes is its handover. */
	withoutTools: boolean;
}

export interface TurnSender {
	readonly provider: Provider;
	readonly dialect: LoopProviderName;
	readonly url: string;
	readonly key: string;
	/** Where the key is from, for messages; empty when none is wanted. */
	readonly keyName: string;
	/** What comes before a model's own name when a person names it, for messages. */
	readonly prefix: string;
	/** Besides those of the dialect. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Tokens that the model takes; undefined when nobody said. */
	readonly contextLength?: number;
	readonly signal: AbortSignal;
	readonly idleTimeoutMs: number;
	readonly adaptation: Adaptation;
	/** What the turn asks for, given what the server was found to support. */
	readonly describeTurn: (level: OutputLevel) => {
		readonly system: string;
		readonly output?: NativeOutput;
		/** In place of those that were granted. */
		readonly tools?: TurnRequest["tools"];
	};
	/** Whether a model that takes no tools may answer in plain words. */
	readonly mayGoWithoutTools: boolean;
	readonly onBackoff?: (waiting: boolean) => void;
	readonly onNotice?: (line: string) => void;
}

/** Counts what reached the caller: after the first piece of an answer nothing is tried again. */
export interface TurnOutlet extends TurnSink {
	hasOutput(): boolean;
	/** Returns what to wait for before reading on, when the caller does not keep up. */
	flush(): Promise<void> | undefined;
}

export type TurnBasis = Omit<TurnRequest, "system" | "output" | "dialect">;
