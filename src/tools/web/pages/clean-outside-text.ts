/**
 * Characters that a person does not see and a model does: zero-width ones, direction overrides, tags that spell
 * hidden letters, and control characters that would reach a terminal. Written as code points on purpose.
 */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is what this is for.
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

export function cleanOutsideText(text: string): string {
	return text.replace(INVISIBLE, "").replace(CONTROL, "").replaceAll("\r\n", "\n").replaceAll("\r", "\n");
}
