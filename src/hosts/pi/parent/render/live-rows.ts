import { RUNNING_LINES } from "./draw-running.ts";

/** What a row has beside its live block: the call itself and the gap above it. */
const CALL_LINES = 2;
/** What pi shows below the last row: its status line, the editor and the footer. */
const KEPT_LINES = 9;

export interface LiveRows<Row> {
	open(row: Row): void;
	close(row: Row): void;
	clear(): void;
	/** Whether the live blocks of all open rows fit on the screen together. */
	fit(): boolean;
}

/**
 * The rows that may still change. A terminal cannot redraw a line that has scrolled out at its top: pi then
 * clears everything and draws it anew, which flickers. So live blocks must fit below each other.
 */
export function createLiveRows<Row extends object>(screenLines: () => number): LiveRows<Row> {
	const open = new Set<Row>();
	return {
		open: (row) => void open.add(row),
		close: (row) => void open.delete(row),
		clear: () => open.clear(),
		fit: () => open.size * (CALL_LINES + RUNNING_LINES) + KEPT_LINES <= screenLines(),
	};
}
