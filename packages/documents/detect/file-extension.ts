import { extname } from "node:path";
import type { DocumentHint } from "../converted-document.ts";

/** Lower case, without the dot; empty when there is none. */
export function extensionOf({ fileName = "" }: DocumentHint): string {
	return extname(fileName).slice(1).toLowerCase();
}
