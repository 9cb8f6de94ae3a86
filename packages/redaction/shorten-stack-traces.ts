import { matchAt } from "@deputize/ground";

/** Longer runs of frames are cut. The first frames show where it failed, the last ones where it started. */
const MAXIMUM_FRAMES = 40;
const KEPT_FIRST = 20;
const KEPT_LAST = 5;

/** One line of a trace in JavaScript, Java, C#, Python, Ruby, PHP, Rust or a debugger. Tried on a line's first characters. */
export const FRAME_LINE =
	/^(?:[ \t]{1,40}at [^\s]|[ \t]{0,40}File "[^"\n]{1,200}", line \d|[ \t]{1,40}from [^\s]{1,200}:\d|#\d{1,5}[ \t]|[ \t]{1,12}\d{1,5}: {1,4}(?:0x|[a-zA-Z_<]))/;
const EXAMINED = 260;

/** A recursion of a thousand frames says no more than forty do. Every remaining frame keeps its file and line. */
export function shortenStackTraces(text: string): string {
	if (!hasManyFrames(text)) return text;
	const lines = text.split("\n");
	const kept: string[] = [];
	let run: string[] = [];
	let pythonFrame = false;
	for (const line of lines) {
		const isFrame = /^[\s#]/.test(line) && FRAME_LINE.test(line.slice(0, EXAMINED));
		// Python prints the source line, and from 3.11 on a line of marks, under each frame.
		const belongs: boolean = isFrame || (pythonFrame && /^ {4}\s{0,40}\S/.test(line.slice(0, EXAMINED)));
		if (belongs) run.push(line);
		else {
			flushRun(run, kept);
			run = [];
			kept.push(line);
		}
		pythonFrame = isFrame ? line.trimStart().startsWith('File "') : pythonFrame && belongs;
	}
	flushRun(run, kept);
	return kept.join("\n");
}

/** Tried where a line begins. */
export const FRAME_START = /[ \t]{1,40}(?:at |File "|from )|#\d{1,5}[ \t]|[ \t]{1,12}\d{1,5}: /y;

/** Frames of one trace follow each other this closely. */
const LONGEST_FRAME = 800;

/** Splitting into lines is the expensive part. A frame may take three lines, so a third of the limit is enough to look. */
function hasManyFrames(text: string): boolean {
	let frames = 0;
	let previous = 0;
	for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) {
		if (!startsFrame(text, index + 1)) continue;
		frames = index - previous > LONGEST_FRAME ? 1 : frames + 1;
		previous = index;
		if (frames * 3 > MAXIMUM_FRAMES) return true;
	}
	return false;
}

const [TAB, SPACE, HASH] = [9, 32, 35];
const DEEPEST_FRAME = 40;

function startsFrame(text: string, lineStart: number): boolean {
	if (text.charCodeAt(lineStart) !== HASH && !isIndentedFrame(text, lineStart)) return false;
	return matchAt(FRAME_START, text, lineStart) !== null;
}

/** Indented by something, and the first letter is that of a frame. Far cheaper than the pattern, and most lines of code are indented. */
function isIndentedFrame(text: string, lineStart: number): boolean {
	let at = lineStart;
	while (at - lineStart < DEEPEST_FRAME && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB))
		at += 1;
	return at > lineStart && "aFf0123456789".includes(text.charAt(at));
}

function flushRun(run: readonly string[], kept: string[]): void {
	if (run.length <= MAXIMUM_FRAMES) {
		for (const line of run) kept.push(line);
		return;
	}
	const omitted = run.length - KEPT_FIRST - KEPT_LAST;
	const indentation = /^[ \t]{0,40}/.exec(run[0] ?? "")?.[0] ?? "";
	kept.push(
		...run.slice(0, KEPT_FIRST),
		`${indentation}[${omitted} stack lines left out]`,
		...run.slice(-KEPT_LAST),
	);
}
