import { escapeHtml } from "../html/escape-html.ts";

export interface Slide {
	readonly title: string;
	/** HTML. */
	readonly body: string;
	/** HTML; empty when nobody wrote any. */
	readonly notes: string;
}

const hasText = (html: string): boolean => html.replace(/<(?!img)[^>]*>/g, "").trim() !== "";

/** Slides one after the other, each under its number and title, speaker's notes as a quotation. */
export function renderSlides(slides: readonly Slide[], total: number): string {
	const blocks = slides.map(({ title, body, notes }, index) => {
		const heading = title ? `Slide ${index + 1}: ${title}` : `Slide ${index + 1}`;
		const spoken = hasText(notes) ? `<blockquote><p><strong>Notes</strong></p>${notes}</blockquote>` : "";
		return `<h2>${escapeHtml(heading)}</h2>${hasText(body) ? body : ""}${spoken}`;
	});
	if (total > slides.length) blocks.push(`<p><em>(${total - slides.length} more slides not shown)</em></p>`);
	return blocks.join("\n");
}
