/** A part of deputize that is not installed with it: too large for everybody, needed by few. */
export interface PartRow {
	/** What works, or works better, with it. Completes "documents: …". */
	readonly adds: string;
	/** What happens without it. */
	readonly without: string;
	/**
	 * npm packages, each a development dependency of this repository with an exact version: the build writes the versions and
	 * checksums of all they need from our own lock file into the package (`scripts/lock-parts.mjs`).
	 */
	readonly packages: readonly string[];
}

/** Every optional part. To add one: a row here, its packages with exact versions in `devDependencies`. */
const ROWS = {
	documents: {
		adds: "a native PDF engine: faster, and it recognizes bold and italic text",
		without: "PDF files are read by PDF.js, without bold and italic",
		packages: ["@firecrawl/pdf-inspector"],
	},
	python: {
		adds: "python_execute where bubblewrap or python3 is missing (Pyodide, in a locked process)",
		without: "python_execute needs bubblewrap and python3",
		packages: ["pyodide"],
	},
	queue: {
		adds: "batches over Redis or PostgreSQL: deputize batch --queue, deputize worker",
		without: "batches run in one process",
		packages: ["bullmq", "ioredis", "pg"],
	},
} as const satisfies Readonly<Record<string, PartRow>>;

export type PartName = keyof typeof ROWS;

export const PART_ROWS: Readonly<Record<PartName, PartRow>> = ROWS;

export const PART_NAMES = Object.keys(ROWS) as readonly PartName[];

/** What to type to get a part. */
export function renderSetupCommand(part: PartName): string {
	return `deputize setup ${part}`;
}
