import { Console } from "node:console";
import { buffer } from "node:stream/consumers";
import {
	boundDocument,
	ConversionError,
	type ConverterAnswer,
	convertBytes,
	convertPage,
	type LoadInspector,
	parseConverterInput,
} from "@deputize/documents";
import { messageOf } from "@deputize/ground";
import { explainChangedPart } from "../../parts/explain-changed-part.ts";
import { loadPackage } from "../../parts/load-package.ts";

// The program of the converter process. Libraries print warnings; stdout belongs to the answer.
globalThis.console = new Console(process.stderr);

async function convertInput(): Promise<ConverterAnswer> {
	try {
		const input = parseConverterInput(await buffer(process.stdin));
		if (!input)
			return { ok: false, code: "CONVERT_FAILED", message: "The converter got no document to read." };
		const { bytes, hint } = input;
		if (hint.pageUrl === undefined)
			return {
				ok: true,
				...(await convertBytes(bytes, hint, createInspectorLoader(process.argv[2], process.argv[3]))),
			};
		return { ok: true, ...boundDocument(await convertPage(bytes.toString("utf8"), hint)) };
	} catch (error) {
		if (error instanceof ConversionError) return { ok: false, code: error.code, message: error.message };
		const message = messageOf(error);
		return { ok: false, code: "CONVERT_FAILED", message: `The document could not be converted: ${message}` };
	}
}

const written = JSON.stringify(await convertInput());
// Timers and handles that a library left behind must not keep the process.
process.stdout.write(written, () => process.exit(0));

/** `modules` is where the part `documents` is, and undefined if there is none: a converter process may not look around. */
function createInspectorLoader(modules: string | undefined, source: string | undefined): LoadInspector {
	return () => {
		if (modules === undefined) return undefined;
		const changed = explainChangedPart({
			part: "documents",
			modules,
			source: source === "beside" ? "beside" : "setup",
		});
		if (changed !== undefined) throw new ConversionError("CONVERT_FAILED", changed);
		try {
			return loadPackage<ReturnType<LoadInspector>>({ modules }, "@firecrawl/pdf-inspector");
		} catch {
			// No binary for this platform, or one that does not load here: the other engine reads the file.
			return undefined;
		}
	};
}
