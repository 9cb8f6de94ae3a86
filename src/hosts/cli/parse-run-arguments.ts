import { defined } from "@deputize/ground";
import { SESSION_ID_PATTERN } from "../../contract/limits.ts";
import type { CommandHelp } from "./command-row.ts";
import { DELEGATION_OPTIONS, parseDelegationArguments } from "./delegation-options.ts";
import { flag, option, parseCommandLine } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

export type RunArguments = ReturnType<typeof parseRunArguments>;

const OPTIONS = {
	session: option("<id>", "continue a session of the same agent in the same directory"),
	...DELEGATION_OPTIONS,
	json: flag("print the whole result as JSON; --json=slim: the answer once, for scripts"),
	stream: flag("print updates and the result as one JSON object per line"),
	apply: flag("apply what the agent changed in its layer, if it succeeded and it merges"),
	verbose: flag("with --offline: everything that was found, with the passage"),
};

export const RUN_HELP: CommandHelp = {
	usage: ["run <agent> <task…> [options]", "run <agent> - [<task…>] <input"],
	examples: [
		['deputize run explorer "Where is authentication middleware registered?"'],
		['deputize run reviewer "Review the error handling in src/server.ts"'],
		['git diff | deputize run reviewer "What are the risks?"', "the diff is sent with the task"],
		['deputize run fixer "Make the failing test pass"', "asks before it applies; --apply does not"],
		["deputize run reviewer - <task.md", "the whole task comes from stdin"],
		['deputize run explorer "And who calls it?" --session 550e8400-e29b-41d4-a716-446655440000'],
		['deputize run explorer "Find the parser" --json=slim | jq -r .output'],
	],
	options: OPTIONS,
	notes: "Exit codes: 0 success, 1 the delegation failed, 2 wrong usage or configuration, 130 interrupted.",
	words: "agents",
};

/** The only option with a value that may also come without one, which `parseArgs` does not know. */
const JSON_SLIM = "--json=slim";

export function parseRunArguments(argv: readonly string[]) {
	const parts = splitArguments(argv);
	const { values } = parseCommandLine(parts.options, OPTIONS);
	const [agent, ...words] = parts.words;
	if (agent === undefined)
		throw new UsageError('Missing agent and task. Try: deputize run explorer "Where is …?"');
	if (words.length === 0)
		throw new UsageError(`Missing task for ${agent}. Try: deputize run ${agent} "Where is …?"`);
	if (values.session !== undefined && !SESSION_ID_PATTERN.test(values.session))
		throw new UsageError(
			`--session takes the id that an earlier result of this agent gave, a UUID, not ${JSON.stringify(values.session)}. deputize logs lists them.`,
		);
	const isPiped = words[0] === "-";
	return defined({
		agent,
		/** Empty when the whole task comes from stdin. */
		task: words.slice(isPiped ? 1 : 0).join(" "),
		/** `required` after a `-` in front of the task: then stdin is waited for, however long it takes. */
		input: isPiped ? ("required" as const) : ("optional" as const),
		session: values.session,
		...parseDelegationArguments(values),
		verbose: values.verbose ?? false,
		apply: values.apply ?? false,
		output: readOutput({ ...values, slim: parts.isSlim }),
	});
}

/** Options may come anywhere between the words of a task, which keep their order. After `--` everything is a word. */
function splitArguments(argv: readonly string[]): {
	options: readonly string[];
	words: readonly string[];
	isSlim: boolean;
} {
	let isSlim = false;
	const options: string[] = [];
	const words: string[] = [];
	const rest = [...argv];
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		if (word === "--") words.push(...rest.splice(0));
		else if (word === JSON_SLIM) isSlim = true;
		else if (word.startsWith("--json="))
			throw new UsageError(`--json takes no value, or slim: --json or ${JSON_SLIM}, not ${word}.`);
		else if (isOption(word)) options.push(word, ...(takesValue(word) ? rest.splice(0, 1) : []));
		else words.push(word);
	}
	return { options, words, isSlim };
}

/**
 * A lone `-` and a task that starts with a dash are words: `run reviewer "- check this"`. Anything with a space in it
 * cannot be an option of ours, unless the space is in its value.
 */
function isOption(word: string): boolean {
	return word.startsWith("-") && word !== "-" && (!/\s/.test(word) || /^--[a-z-]+=/.test(word));
}

function takesValue(word: string): boolean {
	const known: Readonly<Record<string, { readonly type: string }>> = OPTIONS;
	return known[word.slice(2)]?.type === "string";
}

const OUTPUTS = { json: "--json", slim: JSON_SLIM, stream: "--stream", "dry-run": "--dry-run" } as const;
type Output = keyof typeof OUTPUTS;

function readOutput(values: { readonly [Name in Output]?: boolean | undefined }): Output | "text" {
	const chosen = (Object.keys(OUTPUTS) as Output[]).filter((name) => values[name]);
	if (chosen.length > 1)
		throw new UsageError(`Choose one of ${chosen.map((name) => OUTPUTS[name]).join(" and ")}.`);
	return chosen[0] ?? "text";
}
