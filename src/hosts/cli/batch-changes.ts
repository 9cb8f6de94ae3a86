import { cleanOutsideText, formatCount, toOneLine } from "@deputize/ground";
import { type AppliedTask, applyBatchChanges, undoBatchChanges } from "../../batch/apply-batch-changes.ts";
import { nameBatchFiles } from "../../batch/batch-files.ts";
import { readBatchState } from "../../batch/batch-state.ts";
import { isOwnBatch } from "../../batch/is-own-batch.ts";
import type { CommandContext } from "../../commands/command-context.ts";
import { describeConflict } from "../../commands/describe-changes.ts";

interface BatchChangesInput {
	readonly verb: "apply" | "undo";
	readonly output: string;
	readonly check: boolean;
	readonly json: boolean;
}

/** `deputize changes apply|undo --batch <output>`. Returns the exit code: 0 when nothing is left. */
export async function runBatchChanges(
	{ surroundings, cwd }: CommandContext,
	{ verb, output, check, json }: BatchChangesInput,
): Promise<number> {
	const say = (line: string): void => {
		if (!json) process.stdout.write(`${cleanOutsideText(line)}\n`);
	};
	if (!isOwnBatch(readBatchState(nameBatchFiles(output)), surroundings.env))
		say("No batch of yours on this machine wrote this output. Its patches are anyone's: look at them first.");
	const work = verb === "apply" ? applyBatchChanges : undoBatchChanges;
	const tasks = await work(output, {
		...surroundings,
		directory: cwd,
		isTrial: check,
		onTask: (task) => {
			if (task.state !== "was-applied") for (const line of describeApplied(task, check)) say(line);
		},
	});
	const count = (state: AppliedTask["state"]): number => tasks.filter((task) => task.state === state).length;
	if (json) process.stdout.write(`${JSON.stringify({ tasks }, undefined, 2)}\n`);
	say(
		[
			verb === "undo"
				? `${formatCount(count("undone"), "change")} taken back.`
				: `${formatCount(count("applied"), "change")} ${check ? "can be applied, each by itself" : "applied"}.`,
			...(count("was-applied") > 0 ? [`${count("was-applied")} were applied before.`] : []),
			...(count("left") > 0 ? [`${count("left")} left.`] : []),
		].join(" "),
	);
	return count("left") > 0 ? 1 : 0;
}

function describeApplied(
	{ id, change, state, conflicts = [], reason }: AppliedTask,
	isTrial: boolean,
): string[] {
	const name = toOneLine(`${id}${change === undefined ? "" : ` (${change})`}`);
	if (state === "undone") return [`Took back ${name}`];
	if (state !== "left") return [`${isTrial ? "Can be applied:" : "Applied"} ${name}`];
	const why = reason === undefined ? "conflicts with the project as it is now" : toOneLine(reason);
	return [`Left ${name}: ${why}`, ...conflicts.map((conflict) => `  ${describeConflict(conflict)}`)];
}
