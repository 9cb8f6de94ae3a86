/** Names of the protocol's symbol kinds, which count from 1. */
export const SYMBOL_KIND_NAMES = [
	"file",
	"module",
	"namespace",
	"package",
	"class",
	"method",
	"property",
	"field",
	"constructor",
	"enum",
	"interface",
	"function",
	"variable",
	"constant",
	"string",
	"number",
	"boolean",
	"array",
	"object",
	"key",
	"null",
	"enum-member",
	"struct",
	"event",
	"operator",
	"type-parameter",
] as const;

export function toKindName(kind: number): string {
	return SYMBOL_KIND_NAMES[kind - 1] ?? "symbol";
}
