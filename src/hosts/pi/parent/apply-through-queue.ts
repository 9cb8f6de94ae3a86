import type { LspToolOptions } from "../../../tools/lsp/create-lsp-tool.ts";
import type { PiLibrary } from "./pi-library.ts";

type ApplyEdits = NonNullable<LspToolOptions["applyEdits"]>;

/** Writes all files or none, while pi's own edit and write tools are kept off every one of them. */
export function applyThroughQueue(withQueue: PiLibrary["withFileMutationQueue"]): ApplyEdits {
	return async (edits) => {
		const { writeEditsAllOrNone } = await import("../../../tools/lsp/workspace/write-edits.ts");
		// Always in the same order: two renames that share files must not wait for each other.
		const files = [...new Set(edits.map(({ file }) => file))].sort();
		const write = files.reduceRight<() => Promise<void>>(
			(inner, file) => () => withQueue(file, inner),
			() => writeEditsAllOrNone(edits),
		);
		await write();
	};
}
