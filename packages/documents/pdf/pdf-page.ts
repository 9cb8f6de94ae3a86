/** A piece of text as a PDF engine reports it: origin bottom left, sizes in points. */
export interface PdfItem {
	readonly text: string;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly size: number;
	readonly bold: boolean;
	readonly italic: boolean;
	/** Set in a typewriter face. */
	readonly fixed: boolean;
}

export interface PdfLink {
	readonly url: string;
	readonly left: number;
	readonly bottom: number;
	readonly right: number;
	readonly top: number;
}

export interface PdfPage {
	readonly items: readonly PdfItem[];
	readonly links: readonly PdfLink[];
}

/** What either engine delivers; everything after this is the same for both. */
export interface PdfText {
	readonly engine: string;
	readonly pages: readonly PdfPage[];
	/** All pages of the file, also those past the cap. */
	readonly pageCount: number;
	readonly title?: string;
	readonly author?: string;
}
