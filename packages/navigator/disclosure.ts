/** The first line of every answer. */
export const DISCLOSURE =
	"Answered by deputize's offline navigator: keyword and symbol search, no language model.";
