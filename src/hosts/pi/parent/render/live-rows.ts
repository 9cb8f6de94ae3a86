/** What a row has beside its block: the call itself and the gap above it. */
const CALL_LINES = 2;
/** What pi shows below the last row: its status line, the editor and the footer. */
const KEPT_LINES = 9;

interface LiveRows<Row> {
	open(row: Row): void;
	/** The row will not change by itself any more. */
	close(row: Row): void;
	clear(): void;
	/** How many lines below its call a row may have. */
	room(row: Row): number;
	/** The row has scrolled out at the top, where nothing can be redrawn. */
	isFrozen(row: Row): boolean;
}

/**
 * The rows that may still change. A terminal cannot redraw a line that has scrolled out at its top: pi then clears
 * everything and draws it anew, which flickers. So the rows from the first that may change to the last share the
 * screen, and where not even their calls fit, the topmost stay as they are until all have ended.
 */
export function createLiveRows<Row extends object>(screenLines: () => number): LiveRows<Row> {
	const rows = new Map<Row, "open" | "closed">();
	const frozen = new Set<Row>();
	const isAnyOpen = (): boolean => [...rows.values()].includes("open");
	const listChanging = (): readonly Row[] => {
		const all = [...rows];
		const first = all.findIndex(([, state]) => state === "open");
		return first === -1 ? [] : all.slice(first).map(([row]) => row);
	};
	return {
		open(row) {
			if (!isAnyOpen() && !rows.has(row)) rows.clear();
			rows.set(row, "open");
		},
		close(row) {
			if (rows.has(row)) rows.set(row, "closed");
			if (!isAnyOpen()) frozen.clear();
		},
		clear() {
			rows.clear();
			frozen.clear();
		},
		room(row) {
			const changing = listChanging();
			if (!changing.includes(row)) return Number.POSITIVE_INFINITY;
			// The gap above the first of them never changes and may be out of sight.
			return Math.max(0, Math.floor((screenLines() - KEPT_LINES + 1) / changing.length) - CALL_LINES);
		},
		isFrozen(row) {
			if (frozen.has(row)) return true;
			const changing = listChanging();
			const index = changing.indexOf(row);
			if (index === -1) return false;
			const fewestLines = (changing.length - index) * CALL_LINES - 1 + KEPT_LINES;
			if (fewestLines > screenLines()) frozen.add(row);
			return frozen.has(row);
		},
	};
}
