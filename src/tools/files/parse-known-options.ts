import { invalidInput } from "../../contract/parse-tool-input.ts";

/** What may follow an option: nothing, a whole number, or a text that is passed as one word. */
export type OptionKind = "flag" | "number" | "text";

export interface KnownOption {
	readonly name: string;
	readonly kind: OptionKind;
}

export interface ParsedOption {
	readonly name: string;
	/** Absent for a flag, which is not the same as empty. */
	readonly value?: string;
}

const MAX_OPTIONS = 40;

/**
 * Extra arguments, against a list of the harmless ones. A model may send them as a list or as one line; either way a
 * word that is not on the list is refused, so nothing that runs a program or reads another file gets through.
 */
export function parseKnownOptions(
	given: readonly string[] = [],
	known: Readonly<Record<string, KnownOption>>,
): readonly ParsedOption[] {
	const words = given.length === 1 ? splitLine(given[0] ?? "") : given;
	if (words.length > MAX_OPTIONS) throw invalidInput(`extra_args has more than ${MAX_OPTIONS} words`);
	const parsed: ParsedOption[] = [];
	const rest = [...words];
	while (rest.length > 0) parsed.push(takeOption(rest, known));
	return parsed;
}

/** Removes one option, and its value if it takes one, from the front. */
function takeOption(rest: string[], known: Readonly<Record<string, KnownOption>>): ParsedOption {
	const word = rest.shift() ?? "";
	const equals = word.startsWith("--") ? word.indexOf("=") : -1;
	const name = equals < 0 ? word : word.slice(0, equals);
	const option = Object.hasOwn(known, name) ? known[name] : undefined;
	if (option === undefined) {
		const allowed = Object.keys(known).join(" ");
		throw invalidInput(`${JSON.stringify(name)} is not allowed in extra_args; allowed are ${allowed}`);
	}
	if (option.kind === "flag") {
		if (equals >= 0) throw invalidInput(`${name} takes no value`);
		return { name: option.name };
	}
	const value = equals < 0 ? rest.shift() : word.slice(equals + 1);
	if (value === undefined) throw invalidInput(`${name} needs a value`);
	if (option.kind === "number" && !/^\d{1,6}$/.test(value)) {
		throw invalidInput(`${name} needs a whole number`);
	}
	return { name: option.name, value };
}

/** Quotes group words; nothing else has a meaning, there is no shell. */
function splitLine(line: string): readonly string[] {
	return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
		(match) => match[1] ?? match[2] ?? match[3] ?? "",
	);
}
