import type { SubagentsConfig } from "../../../../contract/config.ts";
import { JOURNAL_KINDS, type JournalKind } from "../../../../journal/journal-record.ts";
import { defined } from "../../../../json/defined.ts";

export type ToolkitRequest =
	| { readonly name: "help" }
	| { readonly name: "agents" | "doctor" | "activity" }
	| { readonly name: "tools"; readonly mode: SubagentsConfig["mainTools"] }
	| { readonly name: "logs"; readonly kinds: readonly JournalKind[]; readonly limit?: number };

export const TOOLKIT_COMMANDS = [
	{ name: "agents", description: "Who can be asked, with which tools, and which files were skipped" },
	{ name: "doctor", description: "What works on this machine, what does not, and what to do about it" },
	{
		name: "logs",
		description: "What ran lately: [--subagent|--web|--convert|--lsp] [--limit N]",
	},
	{ name: "activity", description: "Totals, success, times and cost per agent and tool" },
	{
		name: "tools",
		description: "Web, document and language tools for the main agent: always, or on-demand (the default)",
	},
	{ name: "help", description: "This list" },
] as const;

/** The words after `/toolkit`. A text is the reason why they mean nothing. */
export function parseToolkitArguments(text: string): ToolkitRequest | string {
	const [name = "help", ...rest] = text.split(/\s+/).filter(Boolean);
	const known = TOOLKIT_COMMANDS.find((command) => command.name === name);
	if (!known) {
		const names = TOOLKIT_COMMANDS.map((command) => command.name).join(", ");
		return `There is no /toolkit ${name}. There are: ${names}.`;
	}
	if (known.name === "logs") return parseLogOptions(rest);
	if (known.name === "tools") return parseToolsMode(rest);
	return rest.length > 0
		? `/toolkit ${known.name} takes no options, not ${rest.join(" ")}.`
		: { name: known.name };
}

const TOOL_MODES: readonly SubagentsConfig["mainTools"][] = ["always", "on-demand"];

function parseToolsMode(words: readonly string[]): ToolkitRequest | string {
	const mode = TOOL_MODES.find((candidate) => candidate === words[0]);
	return mode && words.length === 1
		? { name: "tools", mode }
		: `/toolkit tools takes one of ${TOOL_MODES.join(", ")}${words.length > 0 ? `, not ${words.join(" ")}` : ""}.`;
}

function parseLogOptions(words: readonly string[]): ToolkitRequest | string {
	const kinds: JournalKind[] = [];
	let limit: number | undefined;
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index] ?? "";
		const kind = JOURNAL_KINDS.find((candidate) => word === `--${candidate}`);
		if (kind) kinds.push(kind);
		else if (word === "--limit") {
			index += 1;
			limit = Number(words[index]);
			if (!Number.isSafeInteger(limit) || limit < 1) {
				return `--limit takes a whole number above 0, not ${JSON.stringify(words[index] ?? "")}.`;
			}
		} else return `/toolkit logs does not know ${word}. ${TOOLKIT_COMMANDS[2].description}.`;
	}
	return { name: "logs", kinds, ...defined({ limit }) };
}

export interface Completion {
	readonly value: string;
	readonly label: string;
	readonly description?: string;
}

/**
 * What could follow. A completion replaces everything that was typed, so it repeats what stays. A word that is
 * complete gets none: Enter would choose it again instead of running the command.
 */
export function completeToolkitArguments(typed: string): readonly Completion[] {
	const words = typed.split(/\s+/);
	const last = words.at(-1) ?? "";
	if (words.length === 1) {
		return TOOLKIT_COMMANDS.filter(({ name }) => name.startsWith(last) && name !== last).map(
			({ name, description }) => ({
				value: name,
				label: name,
				description,
			}),
		);
	}
	if (words[0] === "tools" && words.length === 2)
		return TOOL_MODES.filter((mode) => mode.startsWith(last) && mode !== last).map((mode) => ({
			value: `tools ${mode}`,
			label: mode,
		}));
	if (words[0] !== "logs") return [];
	const before = words.slice(0, -1);
	return [...JOURNAL_KINDS.map((kind) => `--${kind}`), "--limit"]
		.filter((option) => option.startsWith(last) && option !== last && !before.includes(option))
		.map((option) => ({ value: [...before, option].join(" "), label: option }));
}
