import type { TurnSink } from "./provider.ts";

const OPEN = "<think>";
const CLOSE = "</think>";
/** Nobody begins with so much white space. */
const MAX_HELD_CHARS = 1000;

/**
 * Servers that do not know a model's way of thinking pass its thoughts on as the beginning of its answer, between two tags.
 * Only there: an answer may speak of these tags. Pieces may end anywhere, also inside a tag.
 */
export function createThoughtSplitter(sink: Pick<TurnSink, "text" | "reasoning">): {
	push(piece: string): void;
	/** The answer is over: what was held back is said. */
	end(): void;
} {
	let place: "beginning" | "thoughts" | "gap" | "answer" = "beginning";
	let held = "";

	function say(kind: "text" | "reasoning", piece: string): void {
		if (piece !== "") sink[kind](piece);
	}

	function step(): boolean {
		if (place === "beginning") {
			const start = held.trimStart();
			if (OPEN.startsWith(start) && held.length < MAX_HELD_CHARS) return false;
			place = start.startsWith(OPEN) ? "thoughts" : "answer";
			if (place === "thoughts") held = start.slice(OPEN.length);
			return true;
		}
		if (place === "thoughts") {
			const at = held.indexOf(CLOSE);
			const kept = at < 0 ? countBeginning(held) : 0;
			say("reasoning", held.slice(0, at < 0 ? held.length - kept : at));
			held = at < 0 ? held.slice(held.length - kept) : held.slice(at + CLOSE.length);
			if (at >= 0) place = "gap";
			return at >= 0;
		}
		if (place === "gap") {
			held = held.trimStart();
			if (held === "") return false;
			place = "answer";
			return true;
		}
		say("text", held);
		held = "";
		return false;
	}

	return {
		push(piece) {
			if (piece === "") return;
			held += piece;
			while (step());
		},
		end() {
			say(place === "thoughts" ? "reasoning" : "text", held);
			held = "";
		},
	};
}

/** How many characters at the end may be the beginning of the closing tag. */
function countBeginning(text: string): number {
	for (let count = Math.min(CLOSE.length - 1, text.length); count > 0; count -= 1)
		if (text.endsWith(CLOSE.slice(0, count))) return count;
	return 0;
}
