/** Every sentence of a Markdown page, without its markup: of paragraphs, of list entries, and each row of a table as one. */
export function readSentences(markdown: string): readonly string[] {
	const prose = markdown
		.replace(/^```[\s\S]*?^```$/gm, "")
		.replace(/^ {4}.*$/gm, "")
		.replace(/^#.*$/gm, "")
		.replace(/!\[[^\]]*\]\([^)]*\)/g, "");
	return prose
		.split(/\n\s*\n|\n(?=- )|\n(?=\|)/)
		.map((block) => toPlain(block))
		.filter((block) => block !== "" && !block.includes(" · ") && !isTableHead(block))
		.flatMap((block) => (block.startsWith("|") ? [block] : block.split(/(?<=[.?!:])\s+(?=[A-Z/`\d]|ctrl)/)));
}

function toPlain(block: string): string {
	return block
		.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replace(/\*\*/g, "")
		.replace(/^- /, "")
		.replace(/\s+/g, " ")
		.trim();
}

function isTableHead(block: string): boolean {
	return /^\|[-|]+\|$/.test(block) || /^\| (?:For|Agent|Client) \|/.test(block);
}

export interface Claim {
	readonly sentence: string;
	/** What shows it; none where nothing is promised. */
	readonly evidence: readonly { readonly file: string; readonly says: string }[];
	/** Why nothing has to be shown. */
	readonly reason?: string;
}

/** `> sentence`, then a list: "`file`: words in it" for each thing that shows it, or "no promise: why". */
export function readClaims(markdown: string): readonly Claim[] {
	return markdown
		.split(/^> /m)
		.slice(1)
		.map((part) => {
			const [sentence = "", ...rest] = part.split("\n");
			const entries = rest.join("\n").match(/^- .*$/gm) ?? [];
			const evidence = entries.flatMap((entry) => {
				const [, file, says] = /^- `([^`]+)`: (.+)$/.exec(entry) ?? [];
				return file && says ? [{ file, says }] : [];
			});
			const reason = entries.map((entry) => /^- no promise: (.+)$/.exec(entry)?.[1]).find(Boolean);
			return reason === undefined ? { sentence, evidence } : { sentence, evidence, reason };
		});
}
