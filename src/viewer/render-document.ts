import { createHash } from "node:crypto";
import type { RunDetail } from "../runs/transcript.ts";
import type { PageAssets } from "./page-assets.ts";

/** Marks a file as ours to replace. */
export const MADE_BY_US = '<meta name="generator" content="deputize">';

/** The empty page: everything it shows it asks for. */
export function renderEmptyPage(): string {
	return renderShell({
		title: "deputize",
		head: '<link rel="stylesheet" href="page.css"><script type="module" src="page.js"></script>',
	});
}

/** One run as a file of its own that needs no server, and that loads and runs nothing else. */
export function renderExport(run: RunDetail, { script, style }: PageAssets): string {
	const policy = [
		"default-src 'none'",
		`script-src '${hash(script)}'`,
		`style-src '${hash(style)}'`,
		"base-uri 'none'",
		"form-action 'none'",
	].join("; ");
	return renderShell({
		title: `${run.agent} ${run.runId}`,
		head: `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>`,
		body: `<script type="application/json" id="run">${escapeJson(run)}</script><script type="module">${script}</script>`,
	});
}

function renderShell(parts: {
	readonly title: string;
	readonly head: string;
	readonly body?: string;
}): string {
	return [
		`<!doctype html><html lang="en"><head><meta charset="utf-8">${MADE_BY_US}`,
		'<meta name="viewport" content="width=device-width">',
		`<title>${parts.title.replace(/[^\w .-]/g, "")}</title>${parts.head}</head>`,
		`<body><div id="page"></div>${parts.body ?? ""}</body></html>\n`,
	].join("");
}

function hash(text: string): string {
	return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Nothing in it can end the element it is in. */
function escapeJson(value: unknown): string {
	return JSON.stringify(value).replace(
		/[<>&\u2028\u2029]/g,
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
