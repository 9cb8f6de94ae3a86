/** What the reader of one image format finds in the header. */
export type ImageFacts = Record<string, string | number | boolean>;
