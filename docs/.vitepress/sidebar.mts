const link = (text: string, page: string) => ({ text, link: `/${page}` });

/** Every page of the site is in here: a test compares this list with the files. */
export const SIDEBAR = [
	{
		text: "Start",
		items: [
			link("Ten minutes", "tutorial"),
			link("Models", "models"),
			link("Recipes", "recipes"),
			link("Troubleshooting", "troubleshooting"),
			link("Questions", "faq"),
		],
	},
	{
		text: "Understand",
		items: [
			link("How it works", "how-it-works"),
			link("Security for decision makers", "security"),
			link("Compared with others", "comparison"),
			link("Reliability", "reliability"),
			link("The same faults for others", "peers-faults"),
			link("Performance", "performance"),
			link("Offline model", "offline-model"),
		],
	},
	{
		text: "Use",
		items: [
			link("Commands", "command-line"),
			link("In pi: subagent", "reference/subagent-tool"),
			link("In pi: /toolkit", "reference/toolkit-commands"),
			link("Agents that write", "reference/writers"),
			link("In other agents: MCP", "reference/mcp"),
			link("Tried clients", "clients"),
			link("Batches", "batch"),
			link("The page", "view"),
			link("Your own agents", "reference/agent-definition"),
			link("Runtimes", "reference/runtimes"),
			link("As a library", "reference/library"),
		],
	},
	{
		text: "Reference",
		collapsed: true,
		items: [
			link("Configuration", "reference/configuration"),
			link("Result", "reference/result-schema"),
			link("Errors", "reference/errors"),
			link("Agents that write", "reference/changes"),
			link("Optional parts: setup", "reference/setup"),
			link("exec", "reference/exec"),
			link("Files", "reference/files"),
			link("Redaction", "reference/redaction"),
			link("Web tools", "reference/web-tools"),
			link("Documents", "reference/convert-tools"),
			link("Language servers", "reference/lsp-tools"),
			link("Tools, measured", "tools"),
			link("Documents, measured", "tools-documents"),
		],
	},
	{
		text: "Project",
		collapsed: true,
		items: [
			link("Contributing", "contributing"),
			link("What shows the README", "claims"),
			link("Map of the code", "map"),
			link("Do the tests bite?", "mutants"),
			link("Decisions", "decisions/README"),
			link("Security policy", "security-policy"),
			link("Changes", "changelog"),
		],
	},
];
