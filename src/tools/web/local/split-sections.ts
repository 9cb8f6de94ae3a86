import { LOCAL_LIMITS } from "./local-limits.ts";

export interface Section {
	/** Headings from the outermost to this one, joined; empty before the first heading. */
	readonly heading: string;
	/** 1-based line where the section begins. */
	readonly line: number;
	readonly text: string;
}

/** A document in pieces that each answer one question: cut at headings, and where a piece would be too long. */
export function splitSections(document: string): Section[] {
	const sections: Section[] = [];
	const trail: string[] = [];
	let lines: string[] = [];
	let chars = 0;
	let startLine = 1;
	let fence = "";
	const flush = (nextLine: number) => {
		const text = lines.join("\n").trim();
		if (text !== "") sections.push({ heading: trail.filter(Boolean).join(" › "), line: startLine, text });
		lines = [];
		chars = 0;
		startLine = nextLine;
	};
	for (const [index, line] of document.split("\n").entries()) {
		fence = updateFence(fence, line);
		const heading = fence === "" ? /^(#{1,6})\s+(\S.{0,300})$/.exec(line) : null;
		if (heading) {
			flush(index + 1);
			const level = heading[1]?.length ?? 1;
			trail.length = Math.min(trail.length, level - 1);
			trail[level - 1] = (heading[2] ?? "").replace(/\s#+\s*$/, "").trim();
		}
		lines.push(line);
		chars += line.length + 1;
		if (chars > LOCAL_LIMITS.maxSectionChars) flush(index + 2);
	}
	flush(0);
	return sections;
}

function updateFence(open: string, line: string): string {
	const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
	if (mark === undefined) return open;
	if (open === "") return mark;
	return mark.startsWith(open) ? "" : open;
}
