import { readFileSync } from "node:fs";
import { createWordVectors, parseMeaningTable, type WordVectors } from "@deputize/navigator";
import { locatePackageFile } from "../entry-points.ts";

/** Reads the table when a question first needs it. Without it, or when it is damaged, words alone decide. */
export function createMeaningOpener(): () => WordVectors | undefined {
	let vectors: WordVectors | undefined;
	let isTried = false;
	return () => {
		if (isTried) return vectors;
		isTried = true;
		try {
			vectors = createWordVectors(parseMeaningTable(readFileSync(locatePackageFile("data/meaning.bin"))));
		} catch {
			vectors = undefined;
		}
		return vectors;
	};
}
