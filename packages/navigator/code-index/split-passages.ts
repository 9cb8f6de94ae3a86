/** A stretch of lines, given by offsets into the text, with the number of its first line. */
interface PassageSpan {
	readonly start: number;
	readonly end: number;
	readonly first: number;
	readonly last: number;
}

const MAX_LINES = 40;
const MIN_LINES = 6;
/** Where a definition begins, in most languages; indented at most like a method. */
const DEFINITION =
	/^[ \t]{0,4}(?:(?:export|default|async|pub(?:\([^)]*\))?|public|private|protected|static|abstract|final|override)\s+)*(?:(?:function\*?|class|interface|enum|struct|trait|impl|def|func|fn|type|module|namespace)\s+[\w($]|(?:const|let|var|val)\s+\w+\s*=\s*(?:async\s*)?(?:function|\(|\w+\s*=>|class)|(?:module\.)?exports\b[.\w]*\s*=|[\w$.]+\.prototype\.\w+\s*=|[\w$]+\.[\w$]+\s*=\s*(?:async\s*)?(?:function|\()|(?:get\s+|set\s+|#)?[\w$]+\s*\([^)\n]*\)[^;\n]*\{\s*$)/;
/** With a type before the name: in C at the beginning of a line, in Java and its like after a word that says who may use it. */
const TYPED_DEFINITION =
	/^(?:(?:[A-Za-z_][\w:<>,*&]*[ \t*&]+){0,6}[\w:~<>]+[ \t]?\([^;]*$|[ \t]{1,8}(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|synchronized)\s+)+[\w<>[\],.? ]*[\w$]+\s*\([^;]*$)/;
const NOT_A_DEFINITION = /^\s*(?:if|for|while|switch|catch|return|else|do|try|with|throw)\b/;
const ABOVE_A_DEFINITION = /^\s*(?:\*|\/\*|\/\/|#|@|"""|--)/;

/** Cuts a text where definitions begin, each with the comment above it, and long stretches every 40 lines. */
export function splitPassages(text: string): PassageSpan[] {
	const offsets = lineOffsets(text);
	const lines = offsets.length - 1;
	const lineAt = (index: number): string => text.slice(offsets[index], (offsets[index + 1] ?? 1) - 1);
	const starts = [0];
	for (let index = 1; index < lines; index += 1) {
		if (index - (starts.at(-1) ?? 0) < MIN_LINES) continue;
		const line = lineAt(index);
		if (line === "" || NOT_A_DEFINITION.test(line)) continue;
		if (!DEFINITION.test(line) && !TYPED_DEFINITION.test(line)) continue;
		let start = index;
		while (start > 0 && ABOVE_A_DEFINITION.test(lineAt(start - 1))) start -= 1;
		if (start - (starts.at(-1) ?? 0) >= MIN_LINES) starts.push(start);
	}
	return starts.flatMap((from, index) => cutLong(from, starts[index + 1] ?? lines, offsets));
}

function cutLong(from: number, to: number, offsets: readonly number[]): PassageSpan[] {
	const spans: PassageSpan[] = [];
	for (let first = from; first < to; first += MAX_LINES) {
		const last = Math.min(to, first + MAX_LINES);
		spans.push({ start: offsets[first] ?? 0, end: offsets[last] ?? 0, first: first + 1, last });
	}
	return spans;
}

/** Where each line begins, and one past the end. */
function lineOffsets(text: string): number[] {
	const offsets = [0];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) offsets.push(at + 1);
	if (offsets.at(-1) !== text.length) offsets.push(text.length + 1);
	return offsets;
}
