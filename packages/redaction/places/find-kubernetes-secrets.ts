import { type Detector, exactly, type Hits } from "../detector.ts";
import type { Deadline, Span } from "../spans.ts";

export const SECRET_KIND =
	/["']?kind["']?[ \t]{0,4}:[ \t]{0,4}["']?Secret(?:List)?["']?[ \t]{0,4}(?:[,}\r\n]|$)/;
export const DATA_FIELD =
	/^([ \t]{0,40})(?:-[ \t])?["']?(?:data|stringData)["']?[ \t]{0,4}:[ \t]{0,4}\{?[ \t]{0,4}$/;
export const DATA_ENTRY =
	/^[ \t]{1,60}["']?[\w.-]{1,128}["']?[ \t]{0,4}:[ \t]{1,4}["']?([^\s"',{}[\]](?:[^\s"',]| (?![ #])){2,65536})/;
export const INLINE_DATA = /["'](?:data|stringData)["'][ \t]{0,4}:[ \t]{0,4}\{([^{}]{1,65536})\}/g;
export const INLINE_ENTRY = /["'][\w.-]{1,128}["'][ \t]{0,4}:[ \t]{0,4}["']([^"']{3,65536})["']/g;

/** In a Secret of Kubernetes every value under `data` is one, whatever its name. */
export const KUBERNETES_SECRETS: Detector = { literals: exactly(["Secret"]), find: findKubernetesSecrets };

function findKubernetesSecrets(text: string, hits: Hits, deadline: Deadline): Span[] {
	if (
		!hits.indexes.some((index) =>
			/kind["']?[ \t]{0,4}:[ \t]{0,4}["']?$/.test(text.slice(Math.max(0, index - 16), index)),
		)
	)
		return [];
	const spans: Span[] = [];
	let offset = 0;
	for (const document of text.split(/^---(?=\s|$)/m)) {
		deadline.check();
		if (SECRET_KIND.test(document))
			spans.push(...readDataLines(document, offset), ...readInlineData(document, offset));
		offset += document.length + 3;
	}
	return spans;
}

function readDataLines(document: string, offset: number): Span[] {
	const spans: Span[] = [];
	let indentation: number | undefined;
	let position = offset;
	for (const line of document.split("\n")) {
		const field = DATA_FIELD.exec(line.trimEnd());
		const entry = indentation === undefined ? null : DATA_ENTRY.exec(line);
		const depth = line.length - line.trimStart().length;
		if (field !== null) indentation = field[1]?.length ?? 0;
		else if (indentation !== undefined && line.trim() !== "" && depth <= indentation) indentation = undefined;
		else if (entry?.[1] !== undefined) {
			spans.push({ start: position + entry[0].length - entry[1].length, end: position + entry[0].length });
		}
		position += line.length + 1;
	}
	return spans;
}

function readInlineData(document: string, offset: number): Span[] {
	const spans: Span[] = [];
	for (const data of document.matchAll(INLINE_DATA)) {
		const bodyStart = offset + data.index + data[0].length - 1 - (data[1]?.length ?? 0);
		for (const entry of (data[1] ?? "").matchAll(INLINE_ENTRY)) {
			if (entry[1]?.startsWith("[REDACTED") !== false) continue;
			const end = bodyStart + entry.index + entry[0].length - 1;
			spans.push({ start: end - entry[1].length, end });
		}
	}
	return spans;
}
