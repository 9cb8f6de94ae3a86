import { describeNearModels } from "../contract/describe-near-models.ts";
import { splitModel } from "../contract/split-model.ts";
import { splitThinking } from "../contract/thinking.ts";

/** What is wrong with the name of a model, with the names that were probably meant; undefined when it can be used. */
export function checkModel(named: string, known: readonly string[]): string | undefined {
	const wanted = splitThinking(named).model;
	const sameId = known.filter((model) => splitModel(model).name === wanted);
	// pi itself takes a part of a name, and where that is the part of one only there is no doubt.
	const partly = known.filter((model) => model.toLowerCase().includes(wanted.toLowerCase()));
	if (known.length === 0 || known.includes(wanted) || sameId.length === 1 || partly.length === 1)
		return undefined;
	const problem =
		sameId.length > 1 ? "more than one provider serves" : "pi has no such model, or no credentials for it:";
	const advice = describeNearModels(wanted, sameId.length > 1 ? sameId : known);
	return `${problem} ${JSON.stringify(named)}. ${advice} Name it as provider/id.`;
}
