import { splitModel } from "../contract/split-model.ts";
import { splitThinking } from "../contract/thinking.ts";

const MAX_NEAR = 5;
const MIN_TELLING_CHARS = 4;

/** What is wrong with the name of a model, with the names that were probably meant; undefined when it can be used. */
export function checkModel(named: string, known: readonly string[]): string | undefined {
	const wanted = splitThinking(named).model;
	const sameId = known.filter((model) => splitModel(model).name === wanted);
	// pi itself takes a part of a name, and where that is the part of one only there is no doubt.
	const partly = known.filter((model) => model.toLowerCase().includes(wanted.toLowerCase()));
	if (known.length === 0 || known.includes(wanted) || sameId.length === 1 || partly.length === 1)
		return undefined;
	const near = sameId.length > 0 ? sameId : findNear(wanted, known);
	const advice =
		near.length > 0
			? `Did you mean ${near.slice(0, MAX_NEAR).join(", ")}?`
			: `It can use ${known.length}, such as ${known.slice(0, MAX_NEAR).join(", ")}.`;
	const problem =
		sameId.length > 1 ? "more than one provider serves" : "pi has no such model, or no credentials for it:";
	return `${problem} ${JSON.stringify(named)}. ${advice} Name it as provider/id.`;
}

/** Models whose id has every word of the name, the shortest first: `sonnet` is near every Sonnet there is. */
function findNear(wanted: string, known: readonly string[]): readonly string[] {
	const words = splitModel(wanted.toLowerCase())
		.name.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");
	const all = known.filter((model) => words.every((word) => model.toLowerCase().includes(word)));
	const telling = words.filter((word) => word.length >= MIN_TELLING_CHARS);
	const hasOne = (model: string): boolean => telling.some((word) => model.toLowerCase().includes(word));
	const some = all.length > 0 ? all : known.filter(hasOne);
	return some.toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1));
}
