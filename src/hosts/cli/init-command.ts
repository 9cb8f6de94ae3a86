import { codeOf } from "@deputize/ground";
import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import {
	describeCredentials,
	describeLocalServers,
	describeParts,
	describePi,
	describeProgram,
	describeProjectServers,
	describeSandbox,
} from "../../commands/describe-survey.ts";
import { isInstalledFor, planProposal } from "../../commands/init/plan-proposal.ts";
import { listNextSteps, type Proposal, proposeChanges } from "../../commands/init/propose-changes.ts";
import { renderFileChange, writeInstall } from "../../commands/install/write-install.ts";
import { type MachineSurvey, surveyMachine } from "../../commands/survey-machine.ts";
import type { FileChange } from "../../config/write-user-settings.ts";
import { askLine } from "./ask-line.ts";
import { checkDirectory } from "./check-directory.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, option, parseCommandLine } from "./parse-command-line.ts";
import { showRefusals } from "./show-refusals.ts";
import { renderForTerminal } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const OPTIONS = {
	yes: flag("make every change that is proposed, without asking", { short: "y" }),
	json: flag("print what was found, proposed and done as JSON; asks nothing"),
	cwd: option("<dir>", "the directory of the project"),
};

export const INIT_HELP: CommandHelp = {
	usage: ["init [options]"],
	examples: [
		["deputize init", "look, show, and ask before each change"],
		["deputize init --yes", "make every change that is proposed"],
	],
	options: OPTIONS,
	notes:
		"Each change is shown as a diff, and the old file stays beside the new one (.before-deputize). What is set already is left alone, so it can be run again at any time.",
};

interface Outcome {
	readonly question: string;
	readonly state: "done" | "declined" | "proposed" | "failed";
	readonly file?: string;
	readonly backup?: string;
	readonly problem?: string;
}

/** `deputize init`: looks at the machine, shows it, proposes what to set and writes what is accepted. Returns the exit code. */
export function runInitCommand(argv: readonly string[]): Promise<number> {
	const run = async (): Promise<number> => {
		const { values } = parseCommandLine(argv, OPTIONS);
		const context = createCommandContext({ cwd: checkDirectory("--cwd", values.cwd ?? ".") });
		const survey = await surveyMachine(context);
		const proposals = proposeChanges(survey, context, (client) => isInstalledFor(client, context));
		const isJson = values.json === true;
		if (!isJson) process.stdout.write(renderSurvey(survey, context, proposals));
		const outcomes = await decideProposals(proposals, context, { isJson, isYes: values.yes === true });
		const next = listNextSteps(survey);
		if (isJson)
			process.stdout.write(`${JSON.stringify({ survey: toData(survey), outcomes, next }, undefined, 2)}\n`);
		else process.stdout.write(`\nNext\n${next.map((step) => `  ${step}\n`).join("")}`);
		return outcomes.some(({ state }) => state === "failed") ? 1 : 0;
	};
	return showRefusals("deputize init", run, [UsageError]);
}

function renderSurvey(
	survey: MachineSurvey,
	context: CommandContext,
	proposals: readonly Proposal[],
): string {
	const lines = [
		...describePi(survey),
		...survey.programs.map(describeProgram),
		...describeCredentials(survey),
		...describeLocalServers(survey),
		...describeSandbox(survey, context),
		...describeProjectServers(survey, context),
		...describeParts(survey),
	];
	const report = {
		title: `deputize on this machine, for ${context.cwd}`,
		sections: [{ heading: "Found", lines }],
		data: undefined,
	};
	return `${renderForTerminal(report)}\n${proposals.length === 0 ? "\nNothing to set: the defaults fit.\n" : ""}`;
}

/** Undefined when nobody can be asked. */
type Ask = () => Promise<string | undefined>;
type Show = (text: string) => void;

/** Without a terminal nobody can agree: then proposals are only shown, unless all were accepted beforehand. */
async function decideProposals(
	proposals: readonly Proposal[],
	context: CommandContext,
	{ isJson, isYes }: { readonly isJson: boolean; readonly isYes: boolean },
): Promise<readonly Outcome[]> {
	const canAsk = !(isJson || isYes) && process.stdin.isTTY === true && process.stdout.isTTY === true;
	const terminal = { input: process.stdin, output: process.stdout };
	const ask: Ask = async () => {
		if (isYes) return "y";
		return canAsk ? ((await askLine("[Y/n] ", terminal)) ?? "n") : undefined;
	};
	const show: Show = (text) => isJson || process.stdout.write(text);
	const outcomes: Outcome[] = [];
	for (const proposal of proposals) outcomes.push(await decideProposal(proposal, context, ask, show));
	if (outcomes.some(({ state }) => state === "proposed"))
		show(
			"\nNothing was written: there is no terminal to ask at. To make these changes: deputize init --yes\n",
		);
	return outcomes;
}

async function decideProposal(
	proposal: Proposal,
	context: CommandContext,
	ask: Ask,
	show: Show,
): Promise<Outcome> {
	const { question } = proposal;
	const plan = planProposal(proposal, context);
	if ("problem" in plan) {
		show(`\n${question}\n  ✗ ${plan.problem}\n`);
		return { question, state: "failed", problem: plan.problem };
	}
	const { file } = plan;
	show(`\n${question}\n${renderFileChange(plan)}`);
	const answer = await ask();
	if (answer === undefined) return { question, state: "proposed", file };
	if (/^(?:y|yes|)$/i.test(answer.trim())) return { question, file, ...write(plan, show) };
	show("  · left as it is\n");
	return { question, state: "declined", file };
}

function write(plan: FileChange, show: Show): Pick<Outcome, "state" | "backup" | "problem"> {
	try {
		const backup = writeInstall(plan);
		show(`  ✓ written${backup === undefined ? "" : `; before: ${backup}`}\n`);
		return { state: "done", ...(backup !== undefined && { backup }) };
	} catch (error) {
		const problem = `${plan.file} cannot be written (${codeOf(error)}).`;
		show(`  ✗ ${problem}\n`);
		return { state: "failed", problem };
	}
}

/** Without what only programs of ours can use. */
function toData({ programs, ...rest }: MachineSurvey): unknown {
	return {
		node: process.versions.node,
		...rest,
		programs: programs.map(({ program, found }) => ({ name: program.name, title: program.title, found })),
	};
}
