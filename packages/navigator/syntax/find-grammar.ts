import { GRAMMARS, type Grammar } from "./grammars.ts";

const BY_EXTENSION: ReadonlyMap<string, Grammar> = new Map(
	GRAMMARS.flatMap((grammar) => grammar.extensions.map((extension) => [extension, grammar] as const)),
);
const INTERPRETER_LINE = /^#!\s*\S*\/(?:env\s+(?:-S\s+)?)?(\S+)/;

/** The grammar of a file by its ending, or of a program by the interpreter in its first line. */
export function findGrammar(path: string, text: string): Grammar | undefined {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const dot = name.lastIndexOf(".");
	const byEnding = dot > 0 ? BY_EXTENSION.get(name.slice(dot + 1).toLowerCase()) : undefined;
	if (byEnding !== undefined || !text.startsWith("#!")) return byEnding;
	const interpreter = INTERPRETER_LINE.exec(text.slice(0, 200))?.[1] ?? "";
	return GRAMMARS.find((grammar) => grammar.interpreter?.test(interpreter) === true);
}
