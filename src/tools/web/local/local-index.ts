import { join } from "node:path";
import { ToolError } from "@deputize/ground";
import MiniSearch, { type Options } from "minisearch";
import type { Judge } from "../../../judge/create-judge.ts";
import { readJudgedFile } from "../../../judge/read-judged-file.ts";
import { type DiscoveredDocument, discoverDocuments } from "./discover-documents.ts";
import { LOCAL_LIMITS } from "./local-limits.ts";
import { type Section, splitSections } from "./split-sections.ts";
import { tokenize } from "./tokenize.ts";

interface IndexedSection extends Section {
	readonly id: number;
	readonly path: string;
	readonly packageName: string;
}

interface IndexedFile {
	readonly bytes: number;
	readonly changedAt: number;
	readonly firstId: number;
	readonly sections: number;
}

export type LocalHit = Omit<IndexedSection, "id">;

export interface LocalIndexState {
	readonly files: [path: string, file: IndexedFile][];
	readonly nextId: number;
	readonly index: unknown;
}

export type LocalIndex = ReturnType<typeof createLocalIndex>;

const OPTIONS: Options<IndexedSection> = {
	fields: ["heading", "packageName", "path", "text"],
	storeFields: ["path", "packageName", "heading", "line"],
	tokenize,
};
const SEARCH_OPTIONS = {
	boost: { heading: 3, packageName: 4, path: 2 },
	prefix: (term: string) => term.length >= 4,
	fuzzy: (term: string) => (term.length >= 6 ? 0.15 : false),
	tokenize,
} as const;

/** The index of one project's documentation, in the thread that calls it. */
export function createLocalIndex(root: string, judge: Judge, state?: LocalIndexState) {
	const index = state
		? MiniSearch.loadJS<IndexedSection>(state.index as never, OPTIONS)
		: new MiniSearch(OPTIONS);
	const files = new Map<string, IndexedFile>(state?.files ?? []);
	let nextId = state?.nextId ?? 1;

	function forget(path: string): void {
		const file = files.get(path);
		if (!file) return;
		for (let id = file.firstId; id < file.firstId + file.sections; id += 1) index.discard(id);
		files.delete(path);
	}

	function add(document: DiscoveredDocument): void {
		const text = readDocument(join(root, document.path), judge);
		const firstId = nextId;
		for (const section of splitSections(text)) {
			index.add({ id: nextId, path: document.path, packageName: document.packageName, ...section });
			nextId += 1;
		}
		const { bytes, changedAt } = document;
		files.set(document.path, { bytes, changedAt, firstId, sections: nextId - firstId });
	}

	/** Takes in what changed on disk. Says how many files that were. */
	async function refresh() {
		const { documents, isPartial } = await discoverDocuments(root, judge);
		const present = new Set(documents.map(({ path }) => path));
		const gone = [...files.keys()].filter((path) => !present.has(path));
		for (const path of gone) forget(path);
		const stale = documents.filter((document) => {
			const known = files.get(document.path);
			return !known || known.bytes !== document.bytes || known.changedAt !== document.changedAt;
		});
		for (const document of stale) {
			forget(document.path);
			add(document);
		}
		return { changed: gone.length + stale.length, files: files.size, isPartial };
	}

	function search(query: string, count: number): readonly LocalHit[] {
		const strict = index.search(query, { ...SEARCH_OPTIONS, combineWith: "AND" });
		const found = strict.length > 0 ? strict : index.search(query, SEARCH_OPTIONS);
		const perFile = new Map<string, number>();
		const hits: LocalHit[] = [];
		for (const entry of found) {
			if (hits.length >= count) break;
			const path = String(entry["path"]);
			const seen = perFile.get(path) ?? 0;
			if (seen >= LOCAL_LIMITS.maxHitsPerFile) continue;
			perFile.set(path, seen + 1);
			hits.push({
				path,
				packageName: String(entry["packageName"]),
				heading: String(entry["heading"]),
				line: Number(entry["line"]),
				text: readSection(join(root, path), judge, Number(entry["line"])),
			});
		}
		return hits;
	}

	const toState = (): LocalIndexState => ({ files: [...files], nextId, index: index.toJSON() });
	return { refresh, search, toState };
}

/** Empty when the judge closes it, or it went away. The index is a file: what it names is judged like any other path. */
function readDocument(file: string, judge: Judge): string {
	try {
		return readJudgedFile(file, judge, LOCAL_LIMITS.maxFileBytes).bytes.toString("utf8");
	} catch (error) {
		if (error instanceof ToolError) return "";
		throw error;
	}
}

function readSection(file: string, judge: Judge, line: number): string {
	return splitSections(readDocument(file, judge)).find((section) => section.line === line)?.text ?? "";
}
