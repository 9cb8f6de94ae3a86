import type { ConvertConfig } from "../contract/config.ts";
import type { ConvertDocument } from "../tools/web/pages/fetched-document.ts";

/** Hands documents that were fetched from the web to the converter. */
export function convertFetchedDocument(
	config: ConvertConfig,
	agentDirectory: string,
	workingDirectory: () => string,
): ConvertDocument {
	return async (bytes, hint, signal) => {
		const { convertDocument } = await import("../tools/convert/convert-document.ts");
		const { timeoutMs, maxInputBytes, maxMemoryMb } = config;
		return convertDocument(bytes, hint, {
			timeoutMs,
			maxInputBytes,
			maxMemoryMb,
			signal,
			agentDirectory,
			workingDirectory: workingDirectory(),
		});
	};
}
