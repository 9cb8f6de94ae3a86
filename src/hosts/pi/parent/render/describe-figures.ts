import { formatCount, toOneLine } from "@deputize/ground";
import { formatCost, formatTokens } from "../../../../commands/format-figures.ts";
import { splitModel } from "../../../../contract/split-model.ts";
import type { Usage } from "../../../../contract/usage.ts";
import type { Fact } from "./fit-facts.ts";

interface Figures {
	readonly state: string;
	readonly elapsed: string;
	readonly turn: string;
	readonly usage: Usage;
	readonly toolCalls: number;
	readonly model?: string | undefined;
	readonly thinking?: string | undefined;
}

/** What a run took so far or in all, the state first. What it does and how long matter most. */
export function describeFigures(figures: Figures): readonly Fact[] {
	const { usage, toolCalls } = figures;
	const facts: readonly (Fact | undefined)[] = [
		{ text: figures.state, weight: 9 },
		figures.turn === "" ? undefined : { text: figures.turn, weight: 6 },
		{ text: figures.elapsed, weight: 8 },
		toolCalls > 0 ? { text: formatCount(toolCalls, "call"), weight: 5 } : undefined,
		...formatTokens(usage).map((text) => ({ text, weight: 4 })),
		...formatCost(usage.cost).map((text) => ({ text, weight: 7 })),
		...listModelWords(figures).map((text) => ({ text, weight: 3 })),
	];
	return facts.filter((fact) => fact !== undefined);
}

/** Without its provider, as people call it. A level of `off` is no news. */
function listModelWords({ model, thinking }: Figures): readonly string[] {
	if (!model) return [];
	const name = toOneLine(splitModel(model).name);
	return [thinking && thinking !== "off" ? `${name} ${toOneLine(thinking)}` : name];
}
