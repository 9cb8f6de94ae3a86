import { suggestWord } from "@deputize/ground";
import type { CommandHelp, CommandRow, OptionRow } from "./command-row.ts";
import { listAgentNames } from "./list-agent-names.ts";
import { showError } from "./show-error.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export const COMPLETION_HELP: CommandHelp = {
	usage: ["completion bash|zsh|fish"],
	examples: [
		['eval "$(deputize completion bash)"', "in ~/.bashrc"],
		['eval "$(deputize completion zsh)"', "in ~/.zshrc, after compinit"],
		["deputize completion fish >~/.config/fish/completions/deputize.fish"],
	],
	options: {},
	notes: "The scripts ask deputize itself, so that agents of a project are completed too.",
	words: SHELLS,
};

/** Each asks `deputize completion words …` with everything typed so far. Where nothing fits, names of files are offered. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
	bash: `_deputize() {
	mapfile -t COMPREPLY < <(deputize completion words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _deputize deputize
`,
	zsh: `_deputize() {
	local -a candidates
	candidates=("\${(@f)$(deputize completion words "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
compdef _deputize deputize
`,
	fish: `complete -c deputize -a '(deputize completion words (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

/** `deputize completion <shell>`: the script. `deputize completion words …`: what the scripts ask. */
export async function runCompletionCommand(
	[word, ...typed]: readonly string[],
	commands: readonly CommandRow[],
): Promise<number> {
	if (word === "words") {
		const candidates = await listCompletions(typed, { commands, listAgents: listAgentNames });
		process.stdout.write(candidates.map((candidate) => `${candidate}\n`).join(""));
		return 0;
	}
	const shell = SHELLS.find((name) => name === word);
	if (shell === undefined) {
		showError(
			"deputize completion",
			word === undefined
				? `name a shell: ${SHELLS.join(", ")}.`
				: `there is no script for ${JSON.stringify(word)}. ${suggestWord(word, SHELLS, "Shells")}`,
		);
		return 2;
	}
	process.stdout.write(SCRIPTS[shell]);
	return 0;
}

/** What can follow, given all words so far; the last one is being typed and may be empty. */
export async function listCompletions(
	typed: readonly string[],
	{
		commands,
		listAgents,
	}: { readonly commands: readonly CommandRow[]; readonly listAgents: () => readonly string[] },
): Promise<readonly string[]> {
	const current = typed.at(-1) ?? "";
	const [name, ...before] = typed.slice(0, -1);
	const names = commands.map((row) => row.name);
	const find = (wanted: string) => commands.find((row) => row.name === wanted);
	const fitting = (words: readonly string[]): readonly string[] =>
		words.filter((word) => word.startsWith(current));
	const toWords = (words: readonly string[] | "agents" | undefined): readonly string[] =>
		words === "agents" ? listAgents() : (words ?? []);
	if (name === undefined) return fitting([...names, "help", ...listAgents()]);
	if (name === "help") return fitting(names);
	const command = find(name) ?? (listAgents().includes(name) ? find("run") : undefined);
	if (command?.help === undefined) return [];
	const { options, words, after = {} } = await command.help();
	const awaited = findAwaited(before.at(-1), options);
	if (awaited !== undefined) return fitting(toWords(awaited.choices));
	if (current.startsWith("-"))
		return fitting([...Object.keys(options).map((option) => `--${option}`), "--help"]);
	if (command.name !== name) return [];
	return fitting(toWords(before[0] === undefined ? words : after[before[0]]));
}

/** The option whose value is being typed. */
function findAwaited(word: string | undefined, options: CommandHelp["options"]): OptionRow | undefined {
	const found = Object.entries(options).find(
		([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
	);
	return found?.[1].type === "string" ? found[1] : undefined;
}
