import { readFile, stat } from "node:fs/promises";
import { escapePattern, mapWithLimit } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";

export interface TextHit {
	readonly path: string;
	/** Higher where the name looks declared rather than used. */
	readonly score: number;
}

const FILES_AT_A_TIME = 16;
const DECLARES =
	"(?:function\\*?|class|interface|type|enum|struct|union|trait|impl|module|namespace|def|fn|func|fun|const|let|var|val|static|define|typedef|record|object|protocol|extension|package|async|export|default|public|private|protected)";

/**
 * Files that contain a name, most likely declarations first. Cheap next to a server, and it decides which
 * servers are worth starting at all.
 */
export async function scanWorkspaceText(
	files: readonly string[],
	name: string,
	isOver: () => boolean,
): Promise<readonly TextHit[]> {
	const needle = Buffer.from(name);
	const escaped = escapePattern(name);
	const declared = new RegExp(`\\b${DECLARES}[\\s*&]+${escaped}(?![\\p{ID_Continue}$])`, "u");
	const assigned = new RegExp(`^\\s*${escaped}\\s*(?:=|:|\\([^)]*\\)\\s*\\{)`, "mu");
	const hits: TextHit[] = [];
	let bytesLeft: number = LSP_LIMITS.maxScannedTextBytes;
	await mapWithLimit(files, FILES_AT_A_TIME, async (path) => {
		if (isOver() || bytesLeft <= 0) return;
		const bytes = await readSmall(path);
		bytesLeft -= bytes?.length ?? 0;
		if (bytes === undefined || !bytes.includes(needle)) return;
		const text = bytes.toString("utf8");
		hits.push({ path, score: declared.test(text) ? 2 : assigned.test(text) ? 1 : 0 });
	});
	return hits.sort(
		(a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
	);
}

async function readSmall(path: string): Promise<Buffer | undefined> {
	try {
		if ((await stat(path)).size > LSP_LIMITS.maxScannedFileBytes) return undefined;
		return await readFile(path);
	} catch {
		return undefined;
	}
}
