/** The tools that talk to a search or reader service, and may need its key for it. */
const WITH_A_KEY = ["web_search", "fetch_content", "search_web", "scrape_webpage"];

export function usesSearchKeys(tool: string): boolean {
	return WITH_A_KEY.includes(tool);
}
