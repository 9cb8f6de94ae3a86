import { ToolError } from "@deputize/ground";

const SNIFFED_BYTES = 8192;

/** The text of a file. Anything that is not text is refused: it would only confuse a model. */
export function decodeTextFile(bytes: Buffer, shown: string): string {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
	if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
	if (bytes.subarray(0, SNIFFED_BYTES).includes(0))
		throw new ToolError("FILE_WRONG_KIND", `${shown} is not a text file`);
	return bytes.toString("utf8");
}
