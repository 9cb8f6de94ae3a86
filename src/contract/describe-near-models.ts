import { findNearWord } from "@deputize/ground";
import { splitModel } from "./split-model.ts";

const MAX_NEAR = 5;
const MIN_TELLING_CHARS = 4;

/** For a name that nobody serves: which models were probably meant, or some of those there are. */
export function describeNearModels(wanted: string, known: readonly string[]): string {
	const near = findNear(wanted, known);
	if (near.length > 0) return `Did you mean ${near.slice(0, MAX_NEAR).join(", ")}?`;
	const more = known.length > MAX_NEAR ? ` and ${known.length - MAX_NEAR} more` : "";
	return `What is there: ${known.slice(0, MAX_NEAR).join(", ")}${more}.`;
}

/** Models whose id has every word of the name, the shortest first: `sonnet` is near every Sonnet there is. */
function findNear(wanted: string, known: readonly string[]): readonly string[] {
	const { name } = splitModel(wanted.toLowerCase());
	const words = name.split(/[^a-z0-9]+/).filter((word) => word !== "");
	const has = (model: string, word: string): boolean => splitModel(model.toLowerCase()).name.includes(word);
	const all = known.filter((model) => words.every((word) => has(model, word)));
	const telling = words.filter((word) => word.length >= MIN_TELLING_CHARS);
	const some = all.length > 0 ? all : known.filter((model) => telling.some((word) => has(model, word)));
	if (some.length === 0) return findMisspelled(name, known);
	return some.toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1));
}

/** Here too the service does not count: it is the same on both sides. */
function findMisspelled(name: string, known: readonly string[]): readonly string[] {
	const meant = findNearWord(
		name,
		known.map((model) => splitModel(model).name),
	);
	return known.filter((model) => splitModel(model).name === meant);
}
