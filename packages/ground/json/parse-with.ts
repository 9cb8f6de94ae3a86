import { isObject } from "./json-values.ts";

type Check = (value: unknown) => boolean;
type RequiredName<Shape> = {
	[Name in keyof Shape]-?: object extends Pick<Shape, Name> ? never : Name;
}[keyof Shape];

/**
 * An object from outside as a type of ours, or undefined when a field is not what it must be. Every field that the type
 * requires has a check; optional ones are checked where a wrong value would do harm. Unknown fields stay.
 */
export function parseWith<Shape extends object>(
	value: unknown,
	checks: { readonly [Name in RequiredName<Shape>]: Check } & { readonly [Name in keyof Shape]?: Check },
): Shape | undefined {
	const input: unknown = value;
	const isShape =
		isObject(value) && Object.entries<Check>(checks).every(([name, check]) => check(value[name]));
	return isShape ? (input as Shape) : undefined;
}

/** Absent, or as it must be. */
export function ifGiven(check: Check): Check {
	return (value) => value === undefined || check(value);
}

export function isOneOf(...allowed: readonly unknown[]): Check {
	return (value) => allowed.includes(value);
}
