import { join } from "node:path";
import {
	asList,
	asObject,
	asText,
	defined,
	type Environment,
	findProject,
	parseJson,
} from "@deputize/ground";
import type { ChangedFile, GitFacts, LintFinding } from "@deputize/navigator";
import { findExecutable } from "../../process/find-executable.ts";
import { runCommand } from "../../process/run-command.ts";
import { isInProject, withoutProject } from "../../process/without-project.ts";

interface Linter {
	readonly name: string;
	readonly files: RegExp;
	/** Where a project installs it. */
	readonly inProject: readonly string[];
	/** Undefined: it has no way to leave a project's own settings out, which are programs. */
	readonly isolated?: readonly string[];
	readonly args: readonly string[];
	readonly parse: (output: unknown) => readonly Complaint[];
}

/** What a linter says about a line, not checked yet. */
type Complaint = Readonly<Record<"path" | "line" | "message" | "code", unknown>>;

export interface LintPlace {
	readonly cwd: string;
	readonly env: Environment;
	/** Whether programs and settings of the project itself may run. */
	readonly projectTrusted: boolean;
	readonly signal?: AbortSignal;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 100;
const SCRIPT = /\.[cm]?[jt]sx?$/;

const LINTERS: readonly Linter[] = [
	{
		name: "oxlint",
		files: SCRIPT,
		inProject: ["node_modules/.bin/oxlint"],
		isolated: ["--config", "/dev/null", "--disable-nested-config"],
		args: ["--format=json"],
		parse: (output) =>
			asList(asObject(output)["diagnostics"]).map((entry) => {
				const { filename, message, code, labels } = asObject(entry);
				const span = asObject(asObject(asList(labels)[0])["span"]);
				return { path: filename, line: span["line"], message, code };
			}),
	},
	{
		name: "eslint",
		files: SCRIPT,
		inProject: ["node_modules/.bin/eslint"],
		args: ["--format=json", "--no-color", "--no-warn-ignored"],
		parse: (output) =>
			asList(output).flatMap((file) =>
				asList(asObject(file)["messages"]).map((entry) => {
					const { line, message, ruleId } = asObject(entry);
					return { path: asObject(file)["filePath"], line, message, code: ruleId };
				}),
			),
	},
	{
		name: "ruff",
		files: /\.pyi?$/,
		inProject: [".venv/bin/ruff", "venv/bin/ruff"],
		isolated: ["--isolated"],
		args: ["check", "--output-format=json", "--no-cache", "--no-fix"],
		parse: (output) =>
			asList(output).map((entry) => {
				const { filename, message, code, location } = asObject(entry);
				return { path: filename, line: asObject(location)["row"], message, code };
			}),
	},
];

/**
 * What the installed linters say about changed lines. A project that nobody trusts runs neither its own programs nor its own
 * settings: then only a linter of the machine is asked, and with its own rules.
 */
export async function runLinters(
	files: readonly ChangedFile[],
	place: LintPlace,
): Promise<GitFacts["lint"] | undefined> {
	const asked = await Promise.all(LINTERS.map((linter) => runLinter(linter, files, place)));
	const answered = asked.filter((answer) => answer !== undefined);
	if (answered.length === 0) return undefined;
	const changed = new Map(files.map(({ path, added }) => [path, new Set(added.map(({ line }) => line))]));
	return {
		by: answered.map(({ by }) => by).join(", "),
		findings: answered
			.flatMap(({ findings }) => findings)
			.filter(({ path, line }) => changed.get(path)?.has(line) === true),
	};
}

async function runLinter(
	linter: Linter,
	files: readonly ChangedFile[],
	place: LintPlace,
): Promise<GitFacts["lint"]> {
	const wanted = files
		.filter(({ path, isDeleted, added }) => linter.files.test(path) && !isDeleted && added.length > 0)
		.map(({ path }) => path)
		.slice(0, MAX_FILES);
	const chosen = wanted.length === 0 ? undefined : chooseProgram(linter, place);
	if (chosen === undefined) return undefined;
	const ending = await runCommand({
		command: chosen.program,
		args: [...linter.args, ...chosen.args, "--", ...wanted],
		cwd: place.cwd,
		env: { PATH: chosen.path ?? "", HOME: place.env["HOME"] ?? "", NO_COLOR: "1" },
		maxStdoutBytes: MAX_OUTPUT_BYTES,
		...defined({ signal: place.signal }),
	});
	const output = ending.reason === "exit" ? parseJson(ending.stdout.toString("utf8")) : undefined;
	if (output === undefined) return undefined;
	const findings = linter
		.parse(output)
		.map((complaint) => toLintFinding(complaint, place.cwd))
		.filter(({ line, message }) => Number.isSafeInteger(line) && message !== "");
	return { by: linter.name, findings };
}

function toLintFinding({ path, line, message, code }: Complaint, cwd: string): LintFinding {
	const text = asText(message).split("\n", 1)[0] ?? "";
	return {
		path: asText(path).replace(`${cwd}/`, "").replace(/^\.\//, ""),
		line: Number(line),
		message: asText(code) === "" ? text : `${text} (${asText(code)})`,
	};
}

interface Chosen {
	readonly program: string;
	readonly args: readonly string[];
	readonly path: string | undefined;
}

function chooseProgram(
	{ name, inProject, isolated }: Linter,
	{ cwd, env, projectTrusted }: LintPlace,
): Chosen | undefined {
	if (projectTrusted) {
		const own = inProject.flatMap((path) => findExecutable(join(cwd, path), env) ?? [])[0];
		if (own !== undefined) return { program: own, args: [], path: env["PATH"] };
	}
	if (isolated === undefined) return undefined;
	// A search path can lead into the project too.
	const project = findProject(cwd, env["HOME"] ?? "/");
	const outside = withoutProject(env, project);
	const program = findExecutable(name, outside);
	if (program === undefined || isInProject(project, program)) return undefined;
	return { program, args: isolated, path: outside["PATH"] };
}
