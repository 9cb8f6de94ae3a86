import { defined } from "@deputize/ground";
import type { ReportRequest } from "../../../../commands/make-report.ts";
import type { SubagentsConfig } from "../../../../contract/config.ts";
import { JOURNAL_KINDS, type JournalKind } from "../../../../journal/journal-record.ts";
import { CHANGES_VERBS, type ChangesRequest } from "./changes-request.ts";

type ToolkitRequest =
	| (ReportRequest & { readonly name: Exclude<ReportRequest["name"], "models"> })
	| ChangesRequest
	| { readonly name: "help" | "watch" | "view" }
	| { readonly name: "give"; readonly isNow: boolean }
	| { readonly name: "run"; readonly agent: string; readonly task: string }
	| { readonly name: "new" | "models"; readonly agent?: string }
	| { readonly name: "tools"; readonly mode: SubagentsConfig["mainTools"] };

export const TOOLKIT_COMMANDS = [
	{ name: "agents", description: "Who can be asked, with which tools, and which files were skipped" },
	{ name: "watch", description: "The agents of this session: look inside, stop one, send it a message" },
	{ name: "view", description: "A page in the browser: runs, transcripts, batches, cost" },
	{ name: "run", description: "Ask an agent yourself, without the model: AGENT TASK" },
	{ name: "give", description: "Give the answer of an agent that you asked to the model: [now]" },
	{
		name: "changes",
		description: "What agents changed in their layers: look, choose files, apply, undo, drop: [ID]",
	},
	{ name: "new", description: "Write the file of a new agent: [NAME]" },
	{
		name: "models",
		description: "Pick a model and a thinking level for an agent, or take them back: [AGENT]",
	},
	{ name: "doctor", description: "What works on this machine, what does not, and what to do about it" },
	{
		name: "logs",
		description:
			"What ran lately: [--subagent|--web|--convert|--lsp] [--limit N] [--project DIR|here] [--model NAME]",
	},
	{
		name: "activity",
		description: "Totals, success, times and cost per agent and tool: [--project DIR|here] [--model NAME]",
	},
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
	if (known.name === "logs" || known.name === "activity") return parseJournalOptions(known, rest);
	if (known.name === "tools") return parseToolsMode(rest);
	if (known.name === "run") return parseRun(text);
	if (known.name === "give")
		return rest.length === 0 || (rest.length === 1 && rest[0] === "now")
			? { name: "give", isNow: rest.length === 1 }
			: `/toolkit give takes now or nothing, not ${rest.join(" ")}.`;
	if (known.name === "changes") return parseChangesRequest(rest);
	if (known.name === "new" || known.name === "models")
		return rest.length > 1
			? `/toolkit ${known.name} takes one name, not ${rest.join(" ")}.`
			: defined({ name: known.name, agent: rest[0] });
	return rest.length > 0
		? `/toolkit ${known.name} takes no options, not ${rest.join(" ")}.`
		: { name: known.name };
}

/** The task is taken as it was typed, line breaks included. */
function parseRun(text: string): ToolkitRequest | string {
	const [, agent, task] = /^\s*run\s+(\S+)\s+([\s\S]*\S)\s*$/.exec(text) ?? [];
	return agent && task
		? { name: "run", agent, task }
		: "/toolkit run takes an agent and a task: /toolkit run explorer Where is the parser?";
}

function parseChangesRequest([word, id, ...rest]: readonly string[]): ToolkitRequest | string {
	if (word === undefined) return { name: "changes" };
	if (id === undefined && /^[0-9a-f]{4,8}$/.test(word)) return { name: "changes", id: word };
	const verb = CHANGES_VERBS.find((candidate) => candidate === word);
	return verb && id && (rest.length === 0 || verb === "apply")
		? { name: "changes", verb, id, ...(rest.length > 0 ? { files: rest } : {}) }
		: `/toolkit changes takes nothing, an id, or one of ${CHANGES_VERBS.join(", ")} and an id, which /toolkit changes lists; apply also takes files.`;
}

const TOOL_MODES: readonly SubagentsConfig["mainTools"][] = ["always", "on-demand"];

function parseToolsMode(words: readonly string[]): ToolkitRequest | string {
	const mode = TOOL_MODES.find((candidate) => candidate === words[0]);
	return mode && words.length === 1
		? { name: "tools", mode }
		: `/toolkit tools takes one of ${TOOL_MODES.join(", ")}${words.length > 0 ? `, not ${words.join(" ")}` : ""}.`;
}

function parseJournalOptions(
	command: { readonly name: "logs" | "activity"; readonly description: string },
	words: readonly string[],
): ToolkitRequest | string {
	const read = readOptions(command, words);
	if (typeof read === "string") return read;
	const { kinds, given } = read;
	const project = given["--project"] === "here" ? "." : given["--project"];
	const narrow = defined({ project, model: given["--model"] });
	if (command.name === "activity") return { name: "activity", narrow };
	const limit = given["--limit"] === undefined ? undefined : Number(given["--limit"]);
	if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1))
		return `--limit takes a whole number above 0, not ${JSON.stringify(given["--limit"])}.`;
	return defined({ name: "logs" as const, kinds, limit, narrow });
}

function readOptions(
	command: { readonly name: "logs" | "activity"; readonly description: string },
	words: readonly string[],
): { readonly kinds: readonly JournalKind[]; readonly given: Readonly<Record<string, string>> } | string {
	const kinds: JournalKind[] = [];
	const given: Record<string, string> = {};
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index] ?? "";
		const kind = command.name === "logs" && JOURNAL_KINDS.find((candidate) => word === `--${candidate}`);
		if (kind) kinds.push(kind);
		else if (VALUE_OPTIONS[command.name].includes(word)) {
			index += 1;
			given[word] = words[index] ?? "";
			if (given[word] === "") return `${word} needs a value.`;
		} else return `/toolkit ${command.name} does not know ${word}. ${command.description}.`;
	}
	return { kinds, given };
}

const NARROW_OPTIONS = ["--project", "--model"];
const VALUE_OPTIONS: Readonly<Record<"logs" | "activity", readonly string[]>> = {
	logs: ["--limit", ...NARROW_OPTIONS],
	activity: NARROW_OPTIONS,
};

interface Completion {
	readonly value: string;
	readonly label: string;
	readonly description?: string;
}

/**
 * What could follow. A completion replaces everything that was typed, so it repeats what stays. A word that is
 * complete gets none: Enter would choose it again instead of running the command.
 */
export function completeToolkitArguments(
	typed: string,
	listAgents: () => readonly { readonly name: string; readonly description: string }[],
): readonly Completion[] {
	const words = typed.split(/\s+/);
	const before = words.slice(0, -1);
	const last = words.at(-1) ?? "";
	const [command] = before;
	if (command === "run" && before.length === 1)
		return (
			listAgents()
				.filter(({ name }) => name.startsWith(last))
				// With a space: a task follows.
				.map(({ name, description }) => ({ value: `run ${name} `, label: name, description }))
		);
	return listNextWords(before)
		.filter(({ label }) => label.startsWith(last) && label !== last && !before.includes(label))
		.map((word) => ({ value: [...before, word.label].join(" "), ...word }));
}

function listNextWords([command, ...rest]: readonly string[]): readonly Omit<Completion, "value">[] {
	if (command === undefined)
		return TOOLKIT_COMMANDS.map(({ name, description }) => ({ label: name, description }));
	if (command === "give") return rest.length === 0 ? [{ label: "now" }] : [];
	if (command === "tools") return rest.length === 0 ? TOOL_MODES.map((label) => ({ label })) : [];
	if (command !== "logs" && command !== "activity") return [];
	const kinds = command === "logs" ? JOURNAL_KINDS.map((kind) => `--${kind}`) : [];
	return [...kinds, ...VALUE_OPTIONS[command]].map((label) => ({ label }));
}
