import { escapePattern } from "@deputize/ground";
import { classifyLine } from "./classify-line.ts";
import { classifyPath, NOT_CODE, type PathKind } from "./classify-path.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import { findFilesWith } from "./code-index/find-files-with.ts";
import { MAX_LINE_CHARS } from "./collect-evidence.ts";
import type { QuotedPlace } from "./quote-line.ts";

type UseKind = "call" | "import" | "reference" | "definition";

export interface Use extends QuotedPlace {
	readonly kind: UseKind;
}

const KIND_ORDER: readonly PathKind[] = ["source", "declaration", "example", "test", "fixture", "vendored"];
/** An import that lists its names on lines of their own, and where the list ends. */
const OPENS_LIST = /^\s*(?:import\b[^'"]*\{|from\s+\S+\s+import\s*\(|use\s+[\w:]+::\{)[^})]*$/;
const CLOSES_LIST = /[})]/;
const STRING_LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const LINE_COMMENT = /(^|\s)(?:\/\/|#(?!\w)).*$/;

/**
 * Where code uses a name, also a dotted one such as `res.json`. A longer name that contains it is another name; comments,
 * strings and documents are no use of it. Sources come before tests, files that only use it before the one that defines it.
 */
export function findUses(index: CodeIndex, name: string): Use[] {
	const alone = `(?<![\\p{L}\\p{N}_$])${escapePattern(name)}`;
	const occurs = new RegExp(`${alone}(?![\\p{L}\\p{N}_$])`, "u");
	const calls = new RegExp(`${alone}\\s*(?:<[^<>()]*>\\s*)?(?:\\?\\.)?\\(`, "u");
	const uses = findFilesWith(index, name).flatMap(({ path, text }) => {
		if (NOT_CODE.has(classifyPath(path))) return [];
		let isListing = false;
		return text.split("\n").flatMap((line, at): Use[] => {
			const isImport = isListing || OPENS_LIST.test(line);
			isListing = isImport && !CLOSES_LIST.test(line);
			if (!line.includes(name)) return [];
			const kind = classifyUse(line, name, occurs, calls);
			if (kind === undefined) return [];
			const use = { path, line: at + 1, text: line.slice(0, MAX_LINE_CHARS) };
			return [{ ...use, kind: isImport && kind !== "definition" ? "import" : kind }];
		});
	});
	const defining = new Set(uses.filter(({ kind }) => kind === "definition").map(({ path }) => path));
	const order = ({ path }: Use): number =>
		KIND_ORDER.indexOf(classifyPath(path)) * 2 + (defining.has(path) ? 1 : 0);
	return uses.sort((a, b) => order(a) - order(b) || (a.path === b.path ? a.line - b.line : 0));
}

function classifyUse(line: string, name: string, occurs: RegExp, calls: RegExp): UseKind | undefined {
	const { role, name: defined } = classifyLine(line);
	if (role === "comment") return undefined;
	if (role === "import") return occurs.test(line) ? "import" : undefined;
	const code = line.slice(0, MAX_LINE_CHARS).replace(STRING_LITERAL, '""').replace(LINE_COMMENT, "$1");
	if (!occurs.test(code)) return undefined;
	const isDefined = role === "definition" && (defined === name || name.endsWith(`.${defined}`));
	if (isDefined && !OPEN_CALL.test(code)) return "definition";
	return calls.test(code) && !DECLARED.test(code) ? "call" : "reference";
}

/** `next(createError(406, {` and `use(function (req) {` look like the first line of a method until the calls inside are seen. */
const OPEN_CALL = /^\s*[\w$]+\([^()]*\((?:[^()]|\([^()]*\))*(?:\)[^)]*)?\{\s*$/;

/** A signature without a body, as interfaces and declaration files have it. */
const DECLARED =
	/^\s*(?:(?:public|private|protected|static|readonly|abstract|declare)\s+)*[\w$]+\s*(?:<[^<>]*>)?\([^()]*\)\s*:\s*[^=]+;?\s*$/;
