/** What is needed of an element to find the language its author named. */
interface CodeElement {
	readonly className: string;
	readonly nodeName: string;
	readonly parentNode: CodeElement | null;
	readonly firstChild: CodeElement | null;
	getAttribute?(name: string): string | null;
}

const LANGUAGE_CLASS =
	/(?:^|\s)(?:lang(?:uage)?-|highlight-source-|highlight-text-|highlight-|brush:\s?|sourceCode\s)([\w+#-]{1,24})/i;
const NOT_A_LANGUAGE = new Set([
	"default",
	"none",
	"notranslate",
	"text",
	"plain",
	"plaintext",
	"wrapper",
	"source",
]);
/** Wrappers between a code block and the element that names its language. */
const MAX_WRAPPERS = 2;

export function findCodeLanguage(block: CodeElement): string {
	const code = block.firstChild?.nodeName === "CODE" ? block.firstChild : undefined;
	const candidates: CodeElement[] = code ? [code, block] : [block];
	let parent = block.parentNode;
	for (let step = 0; step < MAX_WRAPPERS && parent?.nodeName === "DIV"; step += 1) {
		candidates.push(parent);
		parent = parent.parentNode;
	}
	for (const element of candidates) {
		const language = readLanguage(element);
		if (language !== "") return language;
	}
	return "";
}

function readLanguage(element: CodeElement): string {
	const named = element.getAttribute?.("data-lang") || element.getAttribute?.("data-language") || "";
	const found = named || LANGUAGE_CLASS.exec(element.className ?? "")?.[1] || "";
	const language = found.toLowerCase();
	if (NOT_A_LANGUAGE.has(language) || !/^[\w+#-]{1,24}$/.test(language)) return "";
	return language === "python3" || language === "ipython3" ? "python" : language;
}
