// Meanings and synonyms from WordNet 3.0 (its own permissive license): everyday words that code comments seldom use.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const LETTER = { noun: "n", verb: "v", adj: "a", adv: "r" };

/** Glosses as pairs, and for each word its synonyms and broader words in its first senses. */
export function readWordNet(directory) {
	const glosses = [];
	const synonyms = new Map();
	for (const part of Object.keys(LETTER)) {
		const synsets = new Map();
		for (const row of readFileSync(join(directory, `data.${part}`), "latin1").split("\n")) {
			if (row.startsWith("  ") || row === "") continue;
			const [data, gloss = ""] = row.split(" | ");
			const fields = data.split(" ");
			const count = Number.parseInt(fields[3], 16);
			const words = [];
			for (let at = 0; at < count; at += 1)
				words.push(
					fields[4 + at * 2]
						.replace(/\(\w+\)$/, "")
						.replaceAll("_", " ")
						.toLowerCase(),
				);
			const pointers = Number(fields[4 + count * 2]);
			const broader = [];
			for (let at = 0; at < pointers; at += 1) {
				const base = 5 + count * 2 + at * 4;
				if (fields[base] === "@" || fields[base] === "&") broader.push(fields[base + 1]);
			}
			synsets.set(fields[0], { words, broader });
			const [meaning, ...examples] = gloss.split(/;\s*"/);
			glosses.push([meaning.trim(), words]);
			for (const example of examples)
				if (example.length > 25) glosses.push([example.replace(/".*$/, ""), words]);
		}
		for (const row of readFileSync(join(directory, `index.${part}`), "latin1").split("\n")) {
			if (row.startsWith("  ") || row === "") continue;
			const fields = row.trim().split(/\s+/);
			const word = fields[0].replaceAll("_", " ");
			const offsets = fields.filter((field) => /^\d{8}$/.test(field)).slice(0, 3);
			const near = new Set(synonyms.get(word) ?? []);
			for (const offset of offsets) {
				const synset = synsets.get(offset);
				if (synset === undefined) continue;
				for (const other of synset.words) if (other !== word && !other.includes(" ")) near.add(other);
				for (const up of synset.broader.slice(0, 1))
					for (const other of synsets.get(up)?.words.slice(0, 2) ?? [])
						if (other !== word && !other.includes(" ")) near.add(other);
			}
			if (!word.includes(" ")) synonyms.set(word, [...near]);
		}
	}
	return { glosses, synonyms };
}
