/** A shell block of a page, with what the page shows as its output. */
export interface ShellBlock {
	readonly page: string;
	readonly line: number;
	readonly code: string;
	/** The words behind `sh`: `run`, or `not-run: why`. */
	readonly mark: string;
	/** Lines that have to be printed, in any order; `…` is anything. */
	readonly shown: readonly string[];
}

const FENCE = /^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm;

export function readShellBlocks(page: string, text: string): readonly ShellBlock[] {
	const fences = [...text.matchAll(FENCE)].map(({ index, 1: language = "", 2: mark = "", 3: code = "" }) => ({
		language,
		mark: mark.trim(),
		code,
		line: text.slice(0, index).split("\n").length,
	}));
	return fences.flatMap(({ language, mark, code, line }, index) => {
		if (language !== "sh") return [];
		const next = fences[index + 1];
		const isOutput = next?.language === "text" && next.mark === "output";
		return [{ page, line, code, mark, shown: isOutput ? next.code.trimEnd().split("\n") : [] }];
	});
}

export function isShown(wanted: string, output: string): boolean {
	// Columns are as wide as their widest value.
	const flat = (text: string): string => text.replace(/ +/g, " ");
	const pieces = flat(wanted)
		.split("…")
		.map((piece) => piece.trim());
	return output
		.split("\n")
		.map(flat)
		.some((line) => {
			let from = 0;
			return pieces.every((piece) => {
				const at = line.indexOf(piece, from);
				from = at + piece.length;
				return at !== -1;
			});
		});
}
