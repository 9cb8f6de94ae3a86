/** The parser is loaded with the first page that somebody wants to look into. */
export const loadPageParser = async () => (await import("./dom.ts")).parsePage;
