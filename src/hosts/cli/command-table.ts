import type { CommandRow } from "./command-row.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandRow[] = [
	{
		name: "run",
		usage: "<agent> <task…>",
		summary: "delegate; progress on stderr, the answer on stdout",
		run: async (argv) => (await import("./run-agent-command.ts")).runAgentCommand(argv),
		help: async () => (await import("./parse-run-arguments.ts")).RUN_HELP,
	},
	{
		name: "batch",
		usage: "<input>",
		summary: "many delegations: JSON lines, CSV, stdin or a glob in, JSON lines out",
		run: async (argv) => (await import("./batch-command.ts")).runBatchCommand(argv),
		help: async () => (await import("./parse-batch-arguments.ts")).BATCH_HELP,
	},
	{
		name: "worker",
		summary: "run tasks of batches from a queue",
		noJson: "prints progress only; results go to the batch",
		run: async (argv) => (await import("./worker-command.ts")).runWorkerCommand(argv),
		help: async () => (await import("./worker-command.ts")).WORKER_HELP,
	},
	{
		name: "agents",
		summary:
			"list agents with source, tools and file, and files that were skipped; trust <name> approves one, new writes one, set chooses its model",
		run: async (argv) => (await import("./report-command.ts")).runReportCommand("agents", argv),
		help: async () => (await import("./report-command.ts")).AGENTS_HELP,
	},
	{
		name: "init",
		summary: "look at this machine, show what is here, and set what is missing",
		run: async (argv) => (await import("./init-command.ts")).runInitCommand(argv),
		help: async () => (await import("./init-command.ts")).INIT_HELP,
	},
	{
		name: "doctor",
		summary: "check pi, configuration, credentials, sandbox, search tools, servers",
		run: async (argv) => (await import("./report-command.ts")).runReportCommand("doctor", argv),
		help: async () => (await import("./report-command.ts")).DOCTOR_HELP,
	},
	{
		name: "models",
		summary: "list models that can be used here, by service, with the default",
		run: async (argv) => (await import("./report-command.ts")).runReportCommand("models", argv),
		help: async () => (await import("./report-command.ts")).MODELS_HELP,
	},
	{
		name: "setup",
		usage: "[<part…>]",
		summary: "optional parts: documents, queue, semantic; list, install or remove them",
		run: async (argv) => (await import("./setup-command.ts")).runSetupCommand(argv),
		help: async () => (await import("./setup-command.ts")).SETUP_HELP,
	},
	{
		name: "logs",
		summary: "what was delegated, newest first",
		run: async (argv) => (await import("./report-command.ts")).runReportCommand("logs", argv),
		help: async () => (await import("./report-command.ts")).LOGS_HELP,
	},
	{
		name: "activity",
		summary: "totals, success rates and times per agent and tool",
		run: async (argv) => (await import("./report-command.ts")).runReportCommand("activity", argv),
		help: async () => (await import("./report-command.ts")).ACTIVITY_HELP,
	},
	{
		name: "watch",
		usage: "[<id>]",
		summary: "what runs on this machine now, or one run as it goes on",
		run: async (argv) => (await import("./watch-command.ts")).runWatchCommand(argv),
		help: async () => (await import("./watch-command.ts")).WATCH_HELP,
	},
	{
		name: "show",
		usage: "<id>",
		summary: "one run: its task, calls with results, text, usage by turn, and how to continue it",
		run: async (argv) => (await import("./show-command.ts")).runShowCommand(argv),
		help: async () => (await import("./show-command.ts")).SHOW_HELP,
	},
	{
		name: "changes",
		usage: "[<command> [<id>]]",
		summary: "what agents changed in their layers: list, show, apply, undo or drop it",
		run: async (argv) => (await import("./changes-command.ts")).runChangesCommand(argv),
		help: async () => (await import("./changes-command.ts")).CHANGES_HELP,
	},
	{
		name: "view",
		summary: "a page on this machine: runs live and past, transcripts, batches, cost",
		run: async (argv) => (await import("./view-command.ts")).runViewCommand(argv),
		help: async () => (await import("./view-command.ts")).VIEW_HELP,
	},
	{
		name: "mcp",
		summary: "the tool subagent for Claude Code, Codex and other MCP clients",
		noJson: "speaks JSON-RPC; mcp install has it",
		// Exits itself: a client may keep our input open.
		run: async (argv) => process.exit(await (await import("./mcp-command.ts")).runMcpCommand(argv)),
		help: async () => (await import("./parse-mcp-arguments.ts")).MCP_HELP,
	},
	{
		name: "exec",
		summary: "the pi-free runtime: JSON on stdin, server-sent events on stdout",
		noJson: "prints server-sent events",
		run: async (argv) => (await import("./exec-command.ts")).runExec(argv),
	},
	{
		name: "completion",
		usage: "<bash|zsh|fish>",
		summary: "print the completion script of a shell",
		noJson: "prints a script",
		run: async (argv) => (await import("./completion-command.ts")).runCompletionCommand(argv, COMMANDS),
		help: async () => (await import("./completion-command.ts")).COMPLETION_HELP,
	},
];

export function findCommand(name: string): CommandRow | undefined {
	return COMMANDS.find((row) => row.name === name);
}
