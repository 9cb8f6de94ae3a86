import type { JsonObject } from "./json-values.ts";

type Optional<Fields, Key extends keyof Fields> = undefined extends Fields[Key] ? Key : never;

/** Fields that may be undefined become optional: the shape that `exactOptionalPropertyTypes` asks for. */
type Defined<Fields> = {
	[Key in keyof Fields as Optional<Fields, Key> extends never ? Key : never]: Fields[Key];
} & {
	[Key in keyof Fields as Optional<Fields, Key>]?: Exclude<Fields[Key], undefined>;
};

/** The same object without the fields that are undefined, so that no result carries empty keys. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as Defined<Fields>;
}

/** The same object without these keys. */
export function omit(object: Readonly<JsonObject>, ...keys: readonly string[]): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
