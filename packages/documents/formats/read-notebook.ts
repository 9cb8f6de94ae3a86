import { stripVTControlCharacters } from "node:util";
import { asList, asObject, asText, decodeText, isObject, type JsonObject } from "@deputize/ground";
import { damaged } from "../conversion-error.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderFence } from "../html/code-blocks.ts";
import { renderHtml } from "./read-html.ts";

const objectAt = (value: unknown, key: string): JsonObject => asObject(asObject(value)[key]);

/** Notebooks keep text as a string or as a list of lines. */
function joinLines(value: unknown): string {
	return Array.isArray(value) ? value.map(asText).join("") : asText(value);
}

/** Jupyter notebooks: Markdown cells as they are, code in fences, text outputs below their cell. */
export function readNotebook(bytes: Uint8Array): ConvertedDocument {
	const notebook = parseNotebook(decodeText(bytes).text);
	const language = notebookLanguageOf(notebook);
	const cells = Array.isArray(notebook["cells"])
		? notebook["cells"]
		: asList(notebook["worksheets"]).flatMap((sheet) => asList(asObject(sheet)["cells"]));
	const blocks = cells.filter(isObject).flatMap((cell) => renderNotebookCell(cell, language));
	const title = objectAt(notebook, "metadata")["title"];
	return {
		markdown: blocks.filter(Boolean).join("\n\n"),
		metadata: { cells: cells.length, language },
		...(typeof title === "string" && title && { title }),
	};
}

function parseNotebook(text: string): JsonObject {
	try {
		const value: unknown = JSON.parse(text);
		if (isObject(value)) return value;
	} catch (error) {
		throw damaged(`The notebook is not valid JSON (${(error as Error).message}); it may be cut off.`);
	}
	throw damaged("The notebook is not a JSON object.");
}

function notebookLanguageOf(notebook: JsonObject): string {
	const metadata = objectAt(notebook, "metadata");
	const name = objectAt(metadata, "language_info")["name"] ?? objectAt(metadata, "kernelspec")["language"];
	return typeof name === "string" ? name.replace(/[^\w+#.-]/g, "") : "";
}

function renderNotebookCell(cell: JsonObject, language: string): string[] {
	const source = joinLines(cell["source"] ?? cell["input"]);
	if (cell["cell_type"] === "code") {
		const outputs = asList(cell["outputs"]).filter(isObject);
		return [source.trim() ? renderFence(source, language) : "", ...outputs.map(renderOutput)];
	}
	if (cell["cell_type"] === "heading") {
		const level = Math.min(6, Math.max(1, Number(cell["level"]) || 1));
		return [`${"#".repeat(level)} ${source.trim()}`];
	}
	return [cell["cell_type"] === "raw" ? renderFence(source, "") : source.trim()];
}

function renderOutput(output: JsonObject): string {
	if (output["output_type"] === "stream") return renderOutputText(joinLines(output["text"]));
	if (output["output_type"] === "error" || output["output_type"] === "pyerr") {
		const traceback = joinLines(output["traceback"]);
		return renderOutputText(traceback || `${String(output["ename"])}: ${String(output["evalue"])}`);
	}
	return renderData(isObject(output["data"]) ? output["data"] : output);
}

/** The richest form that is still text. */
function renderData(data: JsonObject): string {
	const markdown = joinLines(data["text/markdown"]);
	if (markdown) return markdown.trim();
	const html = joinLines(data["text/html"]);
	if (html) return renderHtml(html);
	const latex = joinLines(data["text/latex"]);
	if (latex) return latex.trim();
	const plain = joinLines(data["text/plain"] ?? data["text"]);
	if (plain) return renderOutputText(plain);
	const image = Object.keys(data).find((type) => type.startsWith("image/"));
	return image ? `*(output: ${image})*` : "";
}

function renderOutputText(text: string): string {
	const clean = stripVTControlCharacters(text).trimEnd();
	return clean ? `Output:\n\n${renderFence(clean, "")}` : "";
}
