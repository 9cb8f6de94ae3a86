import { stripControlSequences } from "@deputize/ground";

/** Without what a person does not see and a model does, and with line feeds between lines. */
export function cleanOutsideText(text: string): string {
	return stripControlSequences(text).replace(/\r\n?/g, "\n");
}
