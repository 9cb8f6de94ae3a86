// Names every file of src/ that can write to a disk by itself. There is one way to write where somebody else may have left a link, a
// pipe or a file of theirs: `openOwnDirectory`, `openToAppend` and `writeAtomically` in src/paths. Whoever needs another is listed here,
// with the reason why nobody else can have put anything in its place.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Functions of node:fs that make, change, move or replace. Removing is not among them: it never follows a link. */
const WRITES =
	/^(?:writeFile|appendFile|createWriteStream|open|rename|mkdir|mkdtemp|copyFile|cp|symlink|link|truncate|f?chmod|l?chown|fchown|l?utimes|futimes)(?:Sync)?$/;

/** By path, `*` for any rest. */
const ALLOWED = {
	"packages/ground/paths/open-own-directory.ts": "the one way itself",
	"packages/ground/paths/open-to-append.ts": "the one way itself",
	"packages/ground/paths/write-atomically.ts": "the one way itself",
	"packages/ground/paths/make-private-directory.ts": "a new directory of its own, by mkdtemp",
	"packages/ground/paths/read-if-there.ts": "opens to read",
	"packages/ground/paths/with-regular-file.ts": "opens to read, no link",
	"src/agents/read-agent-directory.ts": "opens to read, no link",
	"packages/navigator/code-index/read-tree-file.ts": "opens to read, no link",
	"src/git/list-work-changes.ts": "opens to read, no link",
	"src/judge/open-judged.ts": "opens to read, and judges what is open",
	"src/judge/write-judged-file.ts": "opens no link, and judges what is open before it writes",
	"src/tools/shell/confine-command.ts": "makes a directory in the run's own",
	"src/process/find-executable.ts": "opens to read",
	"src/batch/ledger/open-ledger.ts": "into a descriptor that openToAppend gave",
	"src/batch/create-task-store.ts": "a directory of its own, from mkdtemp, gone before anything is written",
	"src/batch/ledger/keep-patch.ts": "into a descriptor that openReplacement gave",
	"src/batch/ledger/tidy-ledger.ts": "into a descriptor that openReplacement gave",
	"src/sessions/make-file-private.ts": "changes the mode of an opened regular file of this user",
	"src/process/take-file-lock.ts":
		"makes its file with wx, which follows no link, and writes again only to the one it made",
	"packages/ground/paths/open-below.ts": "the one way itself, for names that are bytes",
	"src/changes/write-steps.ts":
		"renames and rights in directories that openBelow opened, and in a new directory of its own",
	"src/changes/open-layer.ts": "the layer's own directory, below the agent directory",
	"src/changes/copy-project.ts": "the layer's own directory, below the agent directory",
	"src/changes/remove-layer.ts": "rights in the layer's own directory, so that it can be removed",
	"src/git/open-store.ts": "makes the store's own directory, below the agent directory",
	"src/git/snapshot-files.ts": "copies an index into the store's own directory",
	"src/sandbox/probe-layers.ts": "a directory of its own, from mkdtemp",
	"src/sandbox/probe-sandbox.ts": "a directory of its own, from mkdtemp",
	"src/journal/append-journal.ts": "marker by wx and rotation by rename, in the agent directory",
	"src/journal/open-run-events.ts": "a new file by wx, in the agent directory",
	"packages/navigator/code-index/index-cache.ts": "makes a directory in the agent directory",
	"src/sessions/open-session.ts": "makes directories in the user's sessions, or by mkdtemp",
	"src/runtimes/run-directory.ts":
		"the run's own directory, from mkdtemp in the agent directory, files by wx",
	"src/runtimes/lend-login-file.ts":
		"in place, because the file is mounted in a child; in the run's own directory",
	"src/runtimes/pi/create-pi-runtime.ts": "makes a directory in the run's own",
	"src/runtimes/pi/open-code-cache.ts":
		"a directory below the agent directory that is checked to be this user's and closed, and copies into the run's own",
	"src/runtimes/pi/lend-agent-directory.ts": "the run's own directory, before the child starts",
	"src/runtimes/program/create-program-runtime.ts": "the run's own directory, before the child starts",
	"src/hosts/pi/child/register-granted-tools.ts": "makes a directory in the run's own",
	"src/tools/convert/convert-with-program.ts": "a directory of its own, from mkdtemp",
	"src/tools/lsp/servers/*": "private directories of a server, below the agent directory or from mkdtemp",
	"src/tools/lsp/sharing/serve-children.ts": "a directory of its own, from mkdtemp",
	"src/tools/lsp/workspace/write-edits.ts":
		"replaces files that the edit was made for, by a new file beside each and rename",
	"src/tools/web/local/index-file.ts": "sets the time of its own file in the agent directory",
	"src/tools/web/store/create-response-store.ts": "makes its directory, in the run's own or the session's",
	"src/parts/part-contents.ts":
		"a directory of its own below the agent directory, before it is moved to its place",
	"src/commands/setup/*": "the directory of parts, below the agent directory",
};

const rows = Object.keys(ALLOWED);
const findRow = (file) =>
	rows.find((row) => (row.endsWith("*") ? file.startsWith(row.slice(0, -1)) : row === file));

/** What a file imports of node:fs to write with; `*` when it takes all of it. */
function listWriters(file) {
	const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
	return source.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
		if (!/^(?:node:)?fs(?:\/promises)?$/.test(moduleSpecifier.text) || importClause === undefined) return [];
		const named = importClause.namedBindings;
		if (importClause.name || (named && ts.isNamespaceImport(named))) return ["*"];
		return (named?.elements ?? [])
			.filter(({ isTypeOnly }) => !isTypeOnly && !importClause.isTypeOnly)
			.map(({ name, propertyName }) => (propertyName ?? name).text)
			.filter((name) => name === "promises" || WRITES.test(name));
	});
}

const files = globSync(["src/**/*.ts", "packages/**/*.ts"], {
	exclude: ["packages/*/{test,bench,fixtures}/**"],
}).map((file) => file.replaceAll("\\", "/"));
const writers = files
	.map((file) => ({ file, names: listWriters(file) }))
	.filter(({ names }) => names.length > 0);
const strangers = writers.filter(({ file }) => findRow(file) === undefined);
const used = new Set(writers.map(({ file }) => findRow(file)));
const stale = rows.filter((row) => !used.has(row));
for (const { file, names } of strangers)
	console.error(
		`writers: ${file} writes by itself (${names.join(", ")}). Use openToAppend or writeAtomically of src/paths, or say in scripts/check-writers.mjs why it need not`,
	);
for (const row of stale)
	console.error(`writers: ${row} is allowed but writes nothing; remove it from scripts/check-writers.mjs`);
if (files.length === 0) console.error("writers: no source file was read");
process.exitCode = strangers.length > 0 || stale.length > 0 || files.length === 0 ? 1 : 0;
if (process.exitCode === 0) console.log(`writers: ${writers.length} files can write, each with its reason`);
