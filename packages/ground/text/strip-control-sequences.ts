/**
 * Removes what a terminal would not print: escape sequences, control characters, zero-width and bidirectional marks.
 * Each of them can split a token or hide a key name, so this runs before anything looks for secrets.
 * Tab, line feed and carriage return stay. Joiners and variation selectors stay where they build an emoji or a
 * word in another script, and are removed next to ASCII letters.
 */
export function stripControlSequences(text: string): string {
	const unusual = findUnusualStretches(text);
	if (unusual.length === 0) return text;
	// The text of a sequence may go on over any distance, so that all of it is read.
	if (unusual.some(({ start, end }) => HAS_SEQUENCE.test(text.slice(start, end)))) {
		const stripped = stripSequences(text);
		return stripSpecialRuns(stripped, findUnusualStretches(stripped));
	}
	return stripSpecialRuns(text, unusual);
}

interface Stretch {
	readonly start: number;
	readonly end: number;
}

/** Small, because one unusual character makes all of its chunk worth a closer look. */
const CHUNK = 1 << 12;

/** All that is not plain ASCII. Most texts have nothing else, which is known much sooner than what a pattern finds in them. */
function findUnusualStretches(text: string): readonly Stretch[] {
	const stretches: Stretch[] = [];
	for (let start = 0; start < text.length; start += CHUNK) {
		const chunk = text.slice(start, start + CHUNK);
		if (Buffer.byteLength(chunk) === chunk.length && !ASCII_CONTROL.test(chunk)) continue;
		const previous = stretches.at(-1);
		const joined = previous?.end === start ? stretches.pop() : undefined;
		stretches.push({ start: joined?.start ?? start, end: start + chunk.length });
	}
	return stretches;
}

/** What needs a closer look is short and rare. */
function stripSpecialRuns(text: string, stretches: readonly Stretch[]): string {
	let kept = 0;
	const pieces: string[] = [];
	for (const { start, end } of stretches) {
		const stretch = text.slice(start, end);
		const stripped = stretch.replace(SPECIAL_RUN, (run, index: number) =>
			stripRun(run, text.charAt(start + index - 1), text.charAt(start + index + run.length)),
		);
		if (stripped === stretch) continue;
		pieces.push(text.slice(kept, start), stripped);
		kept = end;
	}
	return pieces.length === 0 ? text : [...pieces, text.slice(kept)].join("");
}

function stripSequences(text: string): string {
	const stripped = INTRODUCER.test(text)
		? text.replace(TERMINATED_STRING_SEQUENCE, "").replace(ESCAPE_SEQUENCE, "")
		: text;
	return stripped.includes("\b") ? applyBackspaces(stripped) : stripped;
}

/** `before` and `after` are the characters around the run. */
function stripRun(run: string, before: string, after: string): string {
	const visible = before + run.replace(INVISIBLE_CHARACTER, "").replace(TAG_CHARACTER, "") + after;
	const kept = visible.replace(JOINER, (joiners, index: number) =>
		isBesideAscii(visible, index, joiners) ? "" : joiners,
	);
	return kept.slice(before.length, kept.length - after.length);
}

/**
 * A selector after a digit and before the keycap mark is an emoji; between two letters it only hides them. Several in a
 * row are judged together: with one removed, the next would be next to the letter.
 */
function isBesideAscii(text: string, index: number, joiners: string): boolean {
	const before = /[!-~]/.test(text.charAt(index - 1));
	const after = /[!-~]/.test(text.charAt(index + joiners.length));
	return /[\u200c\u200d]/.test(joiners) ? before || after : before && after;
}

/** Overstrike (`N\bN`, as in manual pages) prints one character, so the one before the backspace goes. */
function applyBackspaces(text: string): string {
	const kept: string[] = [];
	for (const character of text) {
		if (character !== "\b") kept.push(character);
		else if (kept.length > 0 && kept.at(-1) !== "\n") kept.pop();
	}
	return kept.join("");
}

/* biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what these patterns are for */
/* biome-ignore-start lint/suspicious/noMisleadingCharacterClass: joiners and selectors are matched one by one on purpose */
const INTRODUCER = /[\u001b\u009b\u009d]/;
const ASCII_CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const HAS_SEQUENCE = /[\b\u001b\u009b\u009d]/;

/** Everything below except escape sequences. Tag characters are two code units, of which the second is common elsewhere. */
export const SPECIAL_RUN =
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\udb40][\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\udb40\udc00-\udc7f]{0,65535}/g;

/** OSC (window titles, links), DCS, SOS, PM and APC contain text that ends with BEL or ST. */
export const TERMINATED_STRING_SEQUENCE =
	/(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)/g;

export const ESCAPE_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[ -/]{0,4}[0-~]?/g;

export const INVISIBLE_CHARACTER =
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Letters of an invisible alphabet, each two code units. */
export const TAG_CHARACTER = /\udb40[\udc00-\udc7f]/g;

export const JOINER = /[\u200c\u200d\ufe00-\ufe0f]{1,65535}/g;
/* biome-ignore-end lint/suspicious/noMisleadingCharacterClass: joiners and selectors are matched one by one on purpose */
/* biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are what these patterns are for */

/** Without what a person does not see and a model does, and with line feeds between lines. */
export function cleanOutsideText(text: string): string {
	return stripControlSequences(text).replace(/\r\n?/g, "\n");
}
