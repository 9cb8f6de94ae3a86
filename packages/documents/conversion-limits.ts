const MIB = 1024 * 1024;

/**
 * What one document may cost, whoever made it. The input size, the wall clock and the resident memory come from
 * the configuration; these bound what happens in between.
 */
export const CONVERSION_LIMITS = {
	maxZipEntries: 5000,
	maxZipEntryBytes: 100 * MIB,
	maxZipTotalBytes: 200 * MIB,
	/** Real office files stay under 60; a parser that recurses survives this. */
	maxXmlDepth: 256,
	maxXmlElements: 1_000_000,
	/** Deeper pages are read as plain text: parsers that recurse take minutes, then overflow. */
	maxHtmlDepth: 1000,
	/** A tree of more takes a gigabyte. The longest reference pages have some tens of thousands. */
	maxHtmlElements: 200_000,
	maxHtmlBytes: 10 * MIB,
	maxPdfPages: 500,
	maxRowsPerSheet: 2000,
	maxColumnsPerSheet: 200,
	maxSheets: 100,
	maxSlides: 1000,
	maxChapters: 1000,
	maxListedEntries: 1000,
	maxMailDepth: 5,
	maxMailParts: 200,
	maxRtfDepth: 200,
	/** The whole Markdown of a document. Longer ones are cut, and say so. */
	maxMarkdownChars: 2_000_000,
} as const;
