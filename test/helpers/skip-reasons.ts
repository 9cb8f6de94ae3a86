/** Why a test may be skipped, and what would let it run. The first row whose file and name match counts. */
interface SkipReason {
	/** Part of the path of the test file. */
	readonly file: string;
	/** Part of the full name of the test; without it, every test of the file. */
	readonly name?: RegExp;
	readonly why: string;
	readonly remedy: string;
}

const NO_BUBBLEWRAP = { why: "bubblewrap does not work here", remedy: "apt-get install bubblewrap" };
const NOT_ROOT = {
	why: "only root can mount, and make files of another user",
	remedy: "run these as root (.ci/run does)",
};
const NO_NEWER_PI = {
	why: "the pi of the 1.x line could not be fetched",
	remedy: "see what npm test says about the registry",
};
const NO_PEERS = {
	why: "what the tests talk to is not installed",
	remedy: "run npm test, which installs test/peers",
};
const NO_LINUX = { why: "it is about Linux", remedy: "run it on Linux" };

const REASONS: readonly SkipReason[] = [
	{
		file: "html/real-pages",
		why: "this page of Debian's documentation is not installed",
		remedy: "apt-get install python3-doc postgresql-doc-15 git-doc valgrind",
	},
	{ file: "faults/sessions", ...NOT_ROOT },
	{ file: "faults/real-pi", ...NOT_ROOT },
	{ file: "security/shared-machines", ...NOT_ROOT },
	{ file: "security/git", ...NOT_ROOT },
	{ file: "security/writing", ...NOT_ROOT },
	{ file: "sessions/check-session-file", ...NOT_ROOT },
	{ file: "security/shared-code", ...NO_BUBBLEWRAP },
	{ file: "paths/write-atomically", ...NOT_ROOT },
	{
		file: "lend-agent-directory",
		why: "root may write everywhere",
		remedy: "run it as an ordinary user",
	},
	{ file: "faults/confinement", ...NO_BUBBLEWRAP },
	{ file: "faults/changes", name: /full disk/, ...NOT_ROOT },
	{
		file: "faults/changes",
		name: /may not write/,
		why: "root may write everywhere",
		remedy: "run it as an ordinary user",
	},
	{ file: "faults/changes", ...NO_BUBBLEWRAP },
	{ file: "sandbox/", ...NO_BUBBLEWRAP },
	{ file: "loop/create-loop-runtime", ...NO_BUBBLEWRAP },
	{ file: "shell/create-python-tool", ...NO_BUBBLEWRAP },
	{ file: "shell/layer-tools", ...NO_BUBBLEWRAP },
	{ file: "e2e/writers", ...NO_BUBBLEWRAP },
	{ file: "changes/changes-in-sight", ...NO_BUBBLEWRAP },
	{ file: "security/changes", ...NO_BUBBLEWRAP },
	{ file: "security/try-command", ...NO_BUBBLEWRAP },
	{ file: "pi-door-changes", ...NO_BUBBLEWRAP },
	{
		file: "batch-contract",
		why: "it is about queues",
		remedy: "nothing: it runs for both queues",
	},
	{ file: "exec-sdk-peers", ...NO_PEERS },
	{ file: "llama-cpp", ...NO_PEERS },
	{ file: "mcp-server", ...NO_PEERS },
	{ file: "normalize-schema", ...NO_PEERS },
	{ file: "hostile-repository", name: /MCP client/, ...NO_PEERS },
	{ file: "docs/python-client", why: "there is no /usr/bin/python3", remedy: "apt-get install python3" },
	{ file: "docs/site", why: "VitePress is not installed", remedy: "run npm test, which installs docs" },
	{ file: "pi-1x", ...NO_NEWER_PI },
	{ file: "pi-door", ...NO_NEWER_PI },
	{ file: "hostile-repository", ...NO_NEWER_PI },
	{ file: "package-install", ...NO_LINUX },
	{ file: "process/take-file-lock", ...NO_LINUX },
	{ file: "e2e/models", ...NO_BUBBLEWRAP },
	{ file: "sandbox-memory", ...NO_LINUX },
	{ file: "run-directory", ...NO_LINUX },
	{
		file: "lsp",
		why: "a language server of the system is missing",
		remedy: "apt-get install clangd shellcheck",
	},
	{ file: "pdf/read-pdf", why: "the native PDF engine is not installed here", remedy: "npm install" },
];

const UNKNOWN = { why: "no reason given", remedy: "add one to test/helpers/skip-reasons.ts" };

export interface SkippedTest {
	readonly file: string;
	readonly name: string;
	/** What the test itself said when it skipped. */
	readonly note?: string | undefined;
}

export function hasSkipReason(test: Pick<SkippedTest, "file" | "name">): boolean {
	return findReason(test) !== undefined;
}

function findReason({ file, name }: Pick<SkippedTest, "file" | "name">): SkipReason | undefined {
	return REASONS.find((reason) => file.includes(reason.file) && (reason.name?.test(name) ?? true));
}

export function explainSkip({ file, name, note }: SkippedTest): Pick<SkipReason, "why" | "remedy"> {
	const row = findReason({ file, name });
	return note === undefined ? (row ?? UNKNOWN) : { why: note, remedy: row?.remedy ?? "" };
}

/** One row for each file and reason, most tests first. Empty when nothing was skipped. */
export function renderSkips(tests: readonly SkippedTest[]): string {
	const groups = new Map<string, { file: string; why: string; remedy: string; count: number }>();
	for (const test of tests) {
		const { why, remedy } = explainSkip(test);
		const group = groups.get(`${test.file} ${why}`) ?? { file: test.file, why, remedy, count: 0 };
		group.count += 1;
		groups.set(`${test.file} ${why}`, group);
	}
	if (groups.size === 0) return "Skipped: nothing.\n";
	const rows = [...groups.values()].sort((one, other) => other.count - one.count);
	const width = (choose: (row: (typeof rows)[number]) => string): number =>
		Math.max(...rows.map((row) => choose(row).length));
	const [files, reasons] = [width(({ file }) => file), width(({ why }) => why)];
	return [
		`Skipped: ${tests.length} ${tests.length === 1 ? "test" : "tests"}.`,
		...rows.map(
			({ file, why, remedy, count }) =>
				`  ${String(count).padStart(4)}  ${file.padEnd(files)}  ${why.padEnd(reasons)}  → ${remedy}`,
		),
		"",
	].join("\n");
}
