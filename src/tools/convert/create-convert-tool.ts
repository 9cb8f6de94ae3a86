import { openOnce } from "@deputize/ground";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { CONVERT_PARAMETERS } from "./convert-parameters.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";

/** Registering the tool must cost nothing: everything behind it is loaded by the first call. */
export function createConvertTool(options: ConvertToolOptions): HostNeutralTool {
	const openCall = openOnce(async () =>
		(await import("./create-convert-call.ts")).createConvertCall(options),
	);
	return {
		name: "convert_content",
		label: "Convert content",
		description:
			"Convert a document (PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, CSV, notebook, e-mail, zip listing, image metadata) to Markdown, by path inside the working directory or by url.",
		parameters: CONVERT_PARAMETERS,
		execute: async (input, context) => (await openCall())(input, context),
	};
}
