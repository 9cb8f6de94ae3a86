import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** `parseArgs` whose refusals are refusals of the command line. */
export function parseCommandLine<const Config extends ParseArgsConfig>(
	config: Config,
): ReturnType<typeof parseArgs<Config>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

export function readNumber(
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

export function readChoice<Choice extends string>(
	value: string | undefined,
	name: string,
	choices: readonly Choice[],
): Choice | undefined {
	const chosen = choices.find((choice) => choice === value);
	if (value === undefined || chosen !== undefined) return chosen;
	throw new UsageError(`${name} takes ${choices.join(" or ")}, not ${JSON.stringify(value)}.`);
}
