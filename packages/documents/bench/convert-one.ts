import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";

// What a tool call does: start the converter process and wait for its answer. The first argument is the address of the
// compiled code, as it is shipped.
const { convertDocument } = (await import(
	process.argv[2] ?? ""
)) as typeof import("../../../src/tools/convert/convert-document.ts");

const file = process.argv[3] ?? "";
const answer = await convertDocument(
	readFileSync(file),
	{ fileName: basename(file) },
	{ timeoutMs: 110_000, maxInputBytes: 50 * 1024 * 1024, maxMemoryMb: 2048, workingDirectory: tmpdir() },
);
if (answer.ok) process.stdout.write(answer.markdown);
else {
	console.error(answer.message);
	process.exitCode = 1;
}
