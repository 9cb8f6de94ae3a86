import { collapseSpace } from "@deputize/ground";
import { encodeAddress } from "../html/escape-html.ts";
import { escapeInlineMarkdown } from "../html/escape-markdown.ts";
import { linkAt, type PdfSegment } from "./group-lines.ts";
import type { PdfItem, PdfLink } from "./pdf-page.ts";

interface Run {
	text: string;
	readonly bold: boolean;
	readonly italic: boolean;
	readonly url: string;
}

/** A gap this wide, in letter heights, is a blank that the file did not write. */
const WORD_GAP = 0.18;
/** A link covers part of an item when the file draws a whole line at once. */
const MIN_CHARS_FOR_SPLIT = 4;

/** Words of one segment, with emphasis (when the engine knows it) and links. */
export function renderSegment(segment: PdfSegment, links: readonly PdfLink[], plain: boolean): string {
	const runs: Run[] = [];
	let right: number | undefined;
	for (const item of segment.items) {
		const gap = right !== undefined && item.x - right > WORD_GAP * item.size ? " " : "";
		right = Math.max(right ?? Number.NEGATIVE_INFINITY, item.x + item.width);
		const pieces = splitAtLinks(item, links);
		pieces.forEach(({ text, url }, index) => {
			addRun(runs, { text: `${index === 0 ? gap : ""}${text}`, bold: item.bold, italic: item.italic, url });
		});
	}
	return collapseSpace(runs.map((run) => renderRun(run, plain)).join(""));
}

function addRun(runs: Run[], run: Run): void {
	const last = runs[runs.length - 1];
	const same = last && last.bold === run.bold && last.italic === run.italic && last.url === run.url;
	if (same || (last && run.text.trim() === "")) last.text += run.text;
	else runs.push(run);
}

function renderRun({ text, bold, italic, url }: Run, plain: boolean): string {
	const core = text.trim();
	if (core === "") return text;
	const mark = plain ? "" : `${bold ? "**" : ""}${italic ? "*" : ""}`;
	const styled = `${mark}${escapeInlineMarkdown(core)}${[...mark].reverse().join("")}`;
	const linked = url ? `[${styled}](${encodeAddress(url)})` : styled;
	return text.replace(core, () => linked);
}

/**
 * A link's area and the text are only neighbors in a PDF. Where it covers part of an item, the letters inside
 * are found by their share of the width and then widened to whole words.
 */
function splitAtLinks(item: PdfItem, links: readonly PdfLink[]): { text: string; url: string }[] {
	const covering = linkAt(item, links);
	const touching = links.find((link) => touches(item, link));
	const link = touching ?? covering;
	if (!link) return [{ text: item.text, url: "" }];
	const share = (x: number): number =>
		Math.round(((x - item.x) / Math.max(item.width, 1)) * item.text.length);
	const from = wordStart(item.text, Math.max(0, share(link.left)));
	const to = wordEnd(item.text, Math.min(item.text.length, share(link.right)));
	if (item.text.length < MIN_CHARS_FOR_SPLIT || to - from < 1)
		return [{ text: item.text, url: covering?.url ?? "" }];
	return [
		{ text: item.text.slice(0, from), url: "" },
		{ text: item.text.slice(from, to), url: link.url },
		{ text: item.text.slice(to), url: "" },
	].filter(({ text }) => text !== "");
}

function touches(item: PdfItem, link: PdfLink): boolean {
	const y = item.y + item.size / 3;
	const inside = Math.min(item.x + item.width, link.right) - Math.max(item.x, link.left);
	return y >= link.bottom - 1 && y <= link.top + 1 && inside > Math.min(item.size, item.width) / 2;
}

function wordStart(text: string, near: number): number {
	for (const distance of [0, 1, -1, 2, -2]) {
		const at = near + distance;
		if (at === 0 || (/\s/.test(text[at - 1] ?? "x") && !/\s/.test(text[at] ?? " "))) return Math.max(0, at);
	}
	return near;
}

function wordEnd(text: string, near: number): number {
	for (const distance of [0, -1, 1, -2, 2]) {
		const at = near + distance;
		if (at === text.length || (/[\s.,;:)]/.test(text[at] ?? "x") && !/\s/.test(text[at - 1] ?? " ")))
			return at;
	}
	return near;
}
