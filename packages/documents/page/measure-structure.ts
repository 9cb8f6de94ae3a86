import type { PageElement } from "./dom.ts";

const FURNITURE = "nav, header, footer, aside, form";
const MIN_TABLE_ROWS = 3;
const TOLERATED_LOSS_CHARS = 1500;
const TOLERATED_LOSS_SHARE = 0.15;

/** Characters in code blocks and in tables that contain data rather than a page's layout. */
export function measureStructure(root: PageElement): number {
	let total = 0;
	for (const code of root.querySelectorAll("pre")) if (!isFurniture(code)) total += code.textContent.length;
	for (const table of root.querySelectorAll("table"))
		if (isDataTable(table) && !isFurniture(table)) total += table.textContent.length;
	return total;
}

function isDataTable(table: PageElement): boolean {
	return table.querySelector("table") === null && table.querySelectorAll("tr").length >= MIN_TABLE_ROWS;
}

function isFurniture(element: PageElement): boolean {
	return element.closest(FURNITURE) !== null;
}

/** Whether an extraction dropped code or tables beyond what belongs to the page's furniture. */
export function hasLostStructure(before: number, after: number, extractedChars: number): boolean {
	return before - after > Math.max(TOLERATED_LOSS_CHARS, TOLERATED_LOSS_SHARE * extractedChars);
}
