import { defined } from "@deputize/ground";
import { markUntrusted } from "../pages/mark-untrusted.ts";
import { type NewDocument, toStoredDocument } from "../store/stored-response.ts";
import { renderDocuments } from "./render-documents.ts";
import type { AnsweredQuery } from "./search-queries.ts";

interface RenderAnswersOptions {
	readonly responseId: string;
	readonly includeContent: boolean;
	readonly maxChars: number;
}

interface RenderedAnswers {
	readonly text: string;
	readonly details: readonly Readonly<Record<string, unknown>>[];
}

/** All answers of a search. `documents` are the hits of all queries in order; their index is what selects them later. */
export function renderAnswers(
	answers: readonly AnsweredQuery[],
	documents: readonly NewDocument[],
	options: RenderAnswersOptions,
): RenderedAnswers {
	const indexed = documents.map((document, index) => ({ document, index }));
	const rendered = answers.map((answer, queryIndex) => {
		const own = indexed.filter(({ document }) => document.queryIndex === queryIndex);
		return { text: renderAnswer(answer, queryIndex, own), details: toDetails(answer, own) };
	});
	const contents = options.includeContent ? renderContents(indexed, options) : [];
	return {
		text: [...rendered.map(({ text }) => text), ...contents].join("\n\n"),
		details: rendered.map(({ details }) => details),
	};
}

interface IndexedDocument {
	readonly document: NewDocument;
	readonly index: number;
}

function renderAnswer(answer: AnsweredQuery, queryIndex: number, own: readonly IndexedDocument[]): string {
	const lines = [`query ${queryIndex}: "${answer.query}"`, describeProvider(answer)];
	for (const attempt of answer.attempts.filter(({ message }) => message !== answer.error?.message))
		lines.push(`tried before: ${attempt.code}: ${attempt.message}`);
	if (answer.error) return [...lines, `failed: ${answer.error.code}: ${answer.error.message}`].join("\n");
	if (own.length === 0) return [...lines, "No results."].join("\n");
	return [
		...lines,
		markUntrusted(own.map(renderHit).join("\n"), `search results of ${answer.provider}`),
	].join("\n");
}

function describeProvider({ provider, note, error }: AnsweredQuery): string {
	if (error) return "";
	if (provider !== "local") return `answered by: ${provider}`;
	return `answered by: local. The web was not searched: ${note ?? "documentation on this machine was"}. The results are files; #L is the line to read from.`;
}

function renderHit({ document, index }: IndexedDocument): string {
	const facts = [document.publishedAt, document.source === "local" ? undefined : document.source].filter(
		(fact) => fact !== undefined,
	);
	const lines = [
		`[${index}] ${document.title}`,
		`    ${document.url}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`,
		document.snippet === undefined ? "" : `    ${document.snippet}`,
	];
	return lines.filter((line) => line !== "").join("\n");
}

function renderContents(documents: readonly IndexedDocument[], options: RenderAnswersOptions): string[] {
	const rendered = renderDocuments(
		documents.map(({ document, index }) => ({
			index,
			document: toStoredDocument(document),
			text: document.text ?? "",
		})),
		options,
		({ index, document }) => ({ text: `[${index}] ${document.warning ?? "no text"}`, details: {} }),
	);
	return rendered.map(({ text }) => text);
}

/** Facts only: a host writes details into its session file, where texts do not belong. */
function toDetails(answer: AnsweredQuery, own: readonly IndexedDocument[]) {
	return {
		query: answer.query,
		provider: answer.provider,
		...(answer.attempts.length === 0 ? {} : { attempts: answer.attempts }),
		...defined({ error: answer.error }),
		results: own.map(({ document: { text, queryIndex: _queryIndex, ...facts } }) => ({
			...facts,
			chars: text?.length ?? 0,
		})),
	};
}
