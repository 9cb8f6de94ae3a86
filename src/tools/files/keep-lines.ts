export const MAX_OUTPUT_BYTES = 50 * 1024;

interface KeptLines {
	readonly lines: readonly string[];
	readonly cutBy?: "lines" | "bytes";
}

/** As many whole lines from the beginning as fit. */
export function keepLines(lines: readonly string[], maxLines = Number.POSITIVE_INFINITY): KeptLines {
	const kept: string[] = [];
	let bytes = 0;
	for (const line of lines) {
		if (kept.length >= maxLines) return { lines: kept, cutBy: "lines" };
		bytes += Buffer.byteLength(line) + (kept.length > 0 ? 1 : 0);
		if (bytes > MAX_OUTPUT_BYTES) return { lines: kept, cutBy: "bytes" };
		kept.push(line);
	}
	return { lines: kept };
}

/** `12.3KB`, as the tools write sizes. */
export function formatSize(bytes: number): string {
	if (bytes < 1024) return `${bytes}B`;
	return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)}KB` : `${(bytes / 1024 / 1024).toFixed(1)}MB`;
}

/** Text and what the model should know about it, in brackets. */
export function addNotices(text: string, notices: readonly (string | false | undefined)[]): string {
	const said = notices.filter((notice) => typeof notice === "string");
	return said.length === 0 ? text : `${text}\n\n[${said.join(". ")}]`;
}

const MAX_NAMED = 3;

export function describeUnreadable(paths: readonly string[]): string | undefined {
	if (paths.length === 0) return undefined;
	const named = paths.slice(0, MAX_NAMED).join(", ");
	const rest = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
	return `Not searched, because they cannot be read: ${named}${rest}`;
}
