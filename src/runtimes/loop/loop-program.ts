import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Started by path, never imported: from `src` in our own tests, from `dist` everywhere else. */
export const LOOP_PROGRAM = fileURLToPath(
	new URL(`../../loop/main${extname(import.meta.url)}`, import.meta.url),
);
