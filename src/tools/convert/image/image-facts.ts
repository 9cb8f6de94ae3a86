/** What the reader of one image format finds in the header. */
export type ImageFacts = Readonly<Record<string, string | number | boolean>>;
