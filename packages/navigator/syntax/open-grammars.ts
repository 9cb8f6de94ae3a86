import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import type { Grammar } from "./grammars.ts";

/** Where the grammars and the program that runs them come from. */
export interface GrammarFiles {
	/** The program, as JavaScript. */
	loadRuntime(): unknown;
	/** A WebAssembly module by the name of its language; without one that of the program. */
	readModule(language?: string): Uint8Array;
}

export interface OpenGrammar {
	readonly parser: TreeSitter.Parser;
	readonly query: TreeSitter.Query;
	readonly hide?: (text: string) => string;
}

type Runtime = Pick<typeof TreeSitter, "Parser" | "Language" | "Query">;

export type OpenGrammars = ReturnType<typeof openGrammars>;
type Opening = Promise<OpenGrammar | undefined>;

/**
 * Opens each grammar once, when a file first needs it; one that is open is given at once. One that cannot be opened is
 * undefined: its files are then not parsed.
 */
export function openGrammars(files: GrammarFiles): (grammar: Grammar) => OpenGrammar | undefined | Opening {
	let runtime: Promise<Runtime> | undefined;
	const opened = new Map<string, OpenGrammar | undefined | Opening>();
	const open = async ({ name, query, hide }: Grammar): Opening => {
		try {
			runtime ??= startRuntime(files);
			const { Parser, Language, Query } = await runtime;
			const language = await Language.load(files.readModule(name));
			const parser = new Parser();
			parser.setLanguage(language);
			return { parser, query: new Query(language, query), ...(hide && { hide }) };
		} catch {
			return undefined;
		}
	};
	return (grammar) => {
		if (opened.has(grammar.name)) return opened.get(grammar.name);
		const opening = open(grammar).then((result) => {
			opened.set(grammar.name, result);
			return result;
		});
		opened.set(grammar.name, opening);
		return opening;
	};
}

async function startRuntime(files: GrammarFiles): Promise<Runtime> {
	const runtime = files.loadRuntime() as Runtime;
	// It takes any option of the program that is inside; its types know one of them.
	const options: object = { wasmBinary: files.readModule() };
	await runtime.Parser.init(options as Parameters<Runtime["Parser"]["init"]>[0]);
	return runtime;
}
