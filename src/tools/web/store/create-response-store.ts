import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { groupBy, messageOf, writeAtomically } from "@deputize/ground";
import { WebError } from "../web-error.ts";
import {
	type NewResponse,
	parseStoredResponse,
	type StoredResponse,
	toStoredDocument,
} from "./stored-response.ts";

const ID_PATTERN = /^(?:search|fetch)-[0-9a-f]{12}$/;
const MAX_STORE_BYTES = 128 * 1024 * 1024;

interface ResponseStoreOptions {
	readonly directory: string;
	readonly maxResponses: number;
	readonly maxTextChars: number;
}

/**
 * Keeps responses as files: a small index per response and one file per text, readable by the owner only. Nothing
 * is held in memory, so a restarted session finds everything, and a host's own session file stays small.
 */
export function createResponseStore(options: ResponseStoreOptions) {
	const { directory } = options;
	const indexFile = (responseId: string) => join(directory, `${responseId}.json`);
	const textFile = (responseId: string, index: number) => join(directory, `${responseId}.${index}.txt`);

	async function save(response: NewResponse): Promise<StoredResponse> {
		const responseId = `${response.kind}-${randomBytes(6).toString("hex")}`;
		const texts = response.documents.map(({ text }) => text?.slice(0, options.maxTextChars) ?? "");
		const stored: StoredResponse = {
			version: 1,
			responseId,
			kind: response.kind,
			createdAt: Date.now(),
			queries: response.queries,
			documents: response.documents.map((document) => toStoredDocument(document, options.maxTextChars)),
		};
		try {
			await openStoreDirectory(directory);
			for (const [index, text] of texts.entries())
				if (text !== "") writeAtomically(textFile(responseId, index), text);
			writeAtomically(indexFile(responseId), JSON.stringify(stored));
			await evictOldest(directory, options.maxResponses);
		} catch (error) {
			throw new WebError(
				"STORE_FAILED",
				`The result could not be stored in ${directory}: ${messageOf(error)}.`,
			);
		}
		return stored;
	}

	/** Throws NOT_FOUND, naming what there is. */
	async function open(responseId: string): Promise<StoredResponse> {
		const text = ID_PATTERN.test(responseId)
			? await readFile(indexFile(responseId), "utf8").catch(() => "")
			: "";
		const stored = text === "" ? undefined : parseStoredResponse(text);
		if (stored) return stored;
		const known = (await listResponses(directory)).slice(-5).map((entry) => entry.responseId);
		const hint =
			known.length === 0 ? "Nothing is stored in this session." : `The latest are ${known.join(", ")}.`;
		throw new WebError("NOT_FOUND", `No stored response "${responseId.slice(0, 80)}". ${hint}`);
	}

	async function readText(responseId: string, documentIndex: number): Promise<string> {
		try {
			return await readFile(textFile(responseId, documentIndex), "utf8");
		} catch {
			throw new WebError("NOT_FOUND", `The text of ${responseId} is no longer stored. Fetch the page again.`);
		}
	}

	return { save, open, readText };
}

export type ResponseStore = ReturnType<typeof createResponseStore>;

async function openStoreDirectory(directory: string): Promise<void> {
	await mkdir(directory, { recursive: true, mode: 0o700 });
	// An existing directory keeps its mode; what is stored here may come from private pages.
	await chmod(directory, 0o700);
}

interface KeptResponse {
	readonly responseId: string;
	readonly changedAt: number;
	readonly files: readonly string[];
	readonly bytes: number;
}

/** Oldest first. Texts whose index is gone belong to nobody and count as the oldest. */
async function listResponses(directory: string): Promise<KeptResponse[]> {
	const names = await readdir(directory).catch(() => []);
	const found: KeptResponse[] = [];
	for (const [responseId, files] of groupBy(names, (name) => name.slice(0, name.indexOf(".")))) {
		if (!ID_PATTERN.test(responseId)) continue;
		const stats = await Promise.all(files.map((name) => stat(join(directory, name)).catch(() => undefined)));
		const bytes = stats.reduce((sum, entry) => sum + (entry?.size ?? 0), 0);
		const changedAt = Math.max(0, ...stats.map((entry) => entry?.mtimeMs ?? 0));
		found.push({ responseId, files, bytes, changedAt });
	}
	return found.sort((left, right) => left.changedAt - right.changedAt);
}

async function evictOldest(directory: string, maxResponses: number): Promise<void> {
	const kept = await listResponses(directory);
	let bytes = kept.reduce((sum, entry) => sum + entry.bytes, 0);
	let count = kept.length;
	for (const entry of kept) {
		// The newest always stays: it is the answer being given.
		if (count <= 1 || (count <= maxResponses && bytes <= MAX_STORE_BYTES)) return;
		await Promise.all(entry.files.map((name) => rm(join(directory, name), { force: true })));
		bytes -= entry.bytes;
		count -= 1;
	}
}
