import { resolve } from "node:path";
import {
	asObject,
	explainCurrentDirectory,
	isObject,
	isText,
	isTextList,
	showValue,
	suggestWord,
} from "@deputize/ground";
import { isRuntimeName, RUNTIME_NAMES } from "../contract/agent.ts";
import { DEFAULT_CONFIG } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { DelegateOptions } from "./delegate-options.ts";

type OptionRule = readonly [check: (value: unknown) => boolean, meaning: string];

const YES_OR_NO: OptionRule = [(value) => typeof value === "boolean", "true or false"];
const TEXT: OptionRule = [isText, "a string"];
const OBJECT: OptionRule = [isObject, "an object"];
const FUNCTION: OptionRule = [(value) => typeof value === "function", "a function"];
const MILLISECONDS: OptionRule = [
	(value) => typeof value === "number" && Number.isFinite(value) && value >= 1,
	"a number of milliseconds of at least 1",
];

const RULES = {
	cwd: TEXT,
	config: [
		(value) => Object.keys(DEFAULT_CONFIG).every((name) => isObject(asObject(value)[name])),
		"a whole configuration, such as loadConfig gives",
	],
	env: OBJECT,
	agentsDirectories: [isTextList, "a list of paths"],
	builtinOnly: YES_OR_NO,
	model: TEXT,
	offline: YES_OR_NO,
	verbose: YES_OR_NO,
	runtime: [isRuntimeName, `one of ${RUNTIME_NAMES.join(", ")}`],
	timeoutMs: MILLISECONDS,
	idleTimeoutMs: MILLISECONDS,
	signal: [(value) => typeof asObject(value)["aborted"] === "boolean", "an AbortSignal"],
	batch: TEXT,
	applyChanges: YES_OR_NO,
	onUpdate: FUNCTION,
	onNotice: FUNCTION,
	host: OBJECT,
} as const satisfies Readonly<Record<keyof DelegateOptions, OptionRule>>;

/** A program without types may give anything. Null is nothing given. A refusal is recorded with the options that are right. */
export function parseDelegateOptions(given: unknown): {
	readonly options: DelegateOptions;
	readonly cwd: string;
	readonly refusal?: DelegationError;
} {
	const rules: Readonly<Record<string, OptionRule>> = RULES;
	const entries = Object.entries(asObject(given)).filter(([, value]) => (value ?? undefined) !== undefined);
	const isRight = ([name, value]: readonly [string, unknown]): boolean => rules[name]?.[0](value) === true;
	const options: DelegateOptions = Object.fromEntries(entries.filter(isRight));
	const wrong = entries.find((entry) => !isRight(entry));
	const lost = options.cwd === undefined ? explainCurrentDirectory() : undefined;
	if (lost !== undefined) return { options, cwd: "/", refusal: new DelegationError("SUBAGENT_FAILED", lost) };
	const cwd = resolve(options.cwd ?? process.cwd());
	return { options, cwd, ...(wrong && { refusal: refuseOption(wrong, rules) }) };
}

function refuseOption(
	[name, value]: readonly [string, unknown],
	rules: Readonly<Record<string, OptionRule>>,
): DelegationError {
	const shown = typeof value === "number" ? String(value) : showValue(value);
	const meaning = rules[name]?.[1];
	const message =
		meaning === undefined
			? `There is no option ${showValue(name)}. ${suggestWord(name, Object.keys(rules), "Options")}`
			: `The option ${name} must be ${meaning}, not ${shown}.`;
	return new DelegationError("INVALID_INPUT", message);
}
