import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export interface Trees {
	pathOf(name: string): string;
	remove(): void;
}

/** Packages are ignored by this repository's .gitignore, which ripgrep honours: copies of them are searched elsewhere. */
export function prepareTrees(): Trees {
	const copies = mkdtempSync(join(tmpdir(), "navigator-bench-"));
	return {
		pathOf(name) {
			if (name === "deputize") return root;
			const original = join(root, "node_modules", name);
			const copy = join(copies, name.replace("/", "__"));
			if (!existsSync(copy)) {
				const filter = (path: string): boolean => !path.slice(original.length).includes("/node_modules");
				cpSync(original, copy, { recursive: true, filter });
			}
			return copy;
		},
		remove: () => rmSync(copies, { recursive: true, force: true }),
	};
}

/** The files of an answer in the order it gives them; the headline's file is the first of the list. */
export function filesOf(result: string): string[] {
	return [...result.matchAll(/^\d+\. `([^`]+?)(?::\d+)?`/gm)].map((match) => match[1]!);
}
