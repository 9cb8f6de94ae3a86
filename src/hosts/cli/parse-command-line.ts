import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { messageOf, suggestWord } from "@deputize/ground";
import { isTimeout } from "../../contract/is-timeout.ts";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import type { OptionRow } from "./command-row.ts";
import { UsageError } from "./usage-error.ts";

type Further = Partial<Pick<OptionRow, "short" | "multiple" | "choices">>;

/** An option that is given or not. */
export function flag<const More extends Further = object>(help: string, more?: More) {
	return { type: "boolean" as const, help, ...(more as More) };
}

/** An option with a value. */
export function option<const More extends Further = object>(value: string, help: string, more?: More) {
	return { type: "string" as const, value, help, ...(more as More) };
}

/** `parseArgs`, saying no as every other part of the command line does. */
export function parseCommandLine<Options extends ParseArgsOptionsConfig>(
	argv: readonly string[],
	options: Options,
	{ allowPositionals = false }: Pick<ParseArgsConfig, "allowPositionals"> = {},
) {
	try {
		return parseArgs({ args: [...argv], options, strict: true, allowPositionals });
	} catch (error) {
		throw new UsageError(explainMistake(error, Object.keys(options)));
	}
}

function explainMistake(error: unknown, known: readonly string[]): string {
	const message = messageOf(error);
	const extra = /^Unexpected argument '(.*)'\. This command/s.exec(message)?.[1];
	if (extra !== undefined)
		return `${JSON.stringify(extra)} is not expected here: this command takes only options. Add --help to see them.`;
	const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
	if (unknown !== undefined) {
		const options = [...known, "help"].map((name) => `--${name}`);
		return `There is no option ${unknown}. ${suggestWord(unknown.replace(/=.*/s, ""), options, "Options")}`;
	}
	// `--name`, or `-n, --name <value>`.
	const name = /^Option '(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
	if (name === undefined) return message;
	if (/does not take an argument/.test(message))
		return `${name} takes no value. Leave out what is after the =.`;
	return /ambiguous/.test(message)
		? `${name} needs a value. One that begins with a dash is written ${name}=-value.`
		: `${name} needs a value, and nothing follows it.`;
}

export function parsePositiveNumber(
	value: unknown,
	name: string,
	{ max, isWhole }: { readonly max: number; readonly isWhole: boolean },
): number | undefined {
	if (value === undefined) return undefined;
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
	if (number > 0 && number <= max && (!isWhole || Number.isSafeInteger(number))) return number;
	throw new UsageError(
		`${name} takes a ${isWhole ? "whole " : ""}number above 0 and at most ${max}, not ${JSON.stringify(value)}.`,
	);
}

export function parseMilliseconds(value: string | undefined, name: string): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (isTimeout(number)) return number;
	throw new UsageError(
		`${name} takes a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${JSON.stringify(value)}.`,
	);
}

export function readChoice<Choice extends string>(
	value: string | undefined,
	name: string,
	choices: readonly Choice[],
): Choice | undefined {
	const chosen = choices.find((choice) => choice === value);
	if (value === undefined || chosen !== undefined) return chosen;
	throw new UsageError(`${name} takes one of ${choices.join(", ")}, not ${JSON.stringify(value)}.`);
}
