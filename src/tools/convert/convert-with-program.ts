import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import {
	CONVERSION_LIMITS,
	type Conversion,
	ConversionError,
	type DocumentFormat,
	type DocumentHint,
} from "@deputize/documents";
import { type Environment, stripControlSequences } from "@deputize/ground";
import type { ConvertConfig } from "../../contract/config.ts";
import { findExecutable } from "../../process/find-executable.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { type ConversionCost, explainStop } from "./explain-stop.ts";

type ProgramName = Exclude<ConvertConfig["provider"], "builtin">;

interface Program {
	readonly formats: readonly DocumentFormat[];
	readonly install: string;
	arguments(file: string): string[];
}

const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
	markitdown: {
		formats: ["pdf", "docx", "pptx", "xlsx", "xls", "epub", "html", "csv", "ipynb", "eml"],
		install: "pipx install 'markitdown[all]'",
		arguments: (file) => [file],
	},
	pandoc: {
		formats: ["docx", "odt", "epub", "rtf", "html", "ipynb", "csv", "tsv"],
		install: "apt-get install pandoc",
		arguments: (file) => ["--sandbox", "--to=gfm-raw_html", "--wrap=none", file],
	},
	officeparser: {
		formats: ["pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "rtf"],
		install: "npm install --global officeparser",
		// Its defaults write HTML tables and anchors into the Markdown.
		arguments: (file) => [
			file,
			"--to=md",
			"--ignoreInternalLinks",
			"--generateIds=false",
			"--includeImages=none",
			"--mdConfig.dialect=github",
			"--mdConfig.fallbackToHtml=false",
		],
	},
};

/** Whether the program reads a format at all; everything else stays with the built-in readers. */
export function programReads(program: ProgramName, format: DocumentFormat): boolean {
	return PROGRAMS[program].formats.includes(format);
}

interface ProgramOptions extends ConversionCost {
	readonly provider: ProgramName;
	/** Empty means the usual name, found on PATH. */
	readonly command: string;
	readonly env: Environment;
	readonly temporaryDirectory: string;
	readonly signal: AbortSignal;
}

/** JSON is not involved: stdout is the Markdown. */
const MAX_STDOUT_BYTES = CONVERSION_LIMITS.maxMarkdownChars * 4;

/**
 * Runs a program the user installed on a private copy of the document, without a shell. The copy, and whatever the
 * program leaves in its temporary directory, is removed in every case. Throws `ConversionError`.
 */
export async function convertWithProgram(
	bytes: Uint8Array,
	hint: DocumentHint,
	format: DocumentFormat,
	options: ProgramOptions,
): Promise<Conversion> {
	const program = PROGRAMS[options.provider];
	const name = options.command || options.provider;
	const command = findExecutable(name, options.env);
	if (!command)
		throw new ConversionError(
			"COMMAND_NOT_FOUND",
			`convert.provider is "${options.provider}", but there is no program "${name}". Install it (${program.install}), set convert.command, or set convert.provider to "builtin".`,
		);
	const directory = await mkdtemp(join(options.temporaryDirectory, "deputize-convert-"));
	try {
		// The name comes from outside and could begin with a dash; only its harmless extension is kept.
		const file = join(directory, `document${safeExtension(hint, format)}`);
		await writeFile(file, bytes, { mode: 0o600 });
		const ending = await runCommand({
			command,
			args: program.arguments(file),
			cwd: directory,
			env: {
				PATH: options.env["PATH"] ?? "",
				HOME: directory,
				TMPDIR: directory,
				LANG: "C.UTF-8",
				PYTHONUTF8: "1",
			},
			timeoutMs: options.timeoutMs,
			maxStdoutBytes: MAX_STDOUT_BYTES,
			maxRssMb: options.maxMemoryMb,
			signal: options.signal,
		});
		return toConversion(ending, options, directory, format);
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

function safeExtension({ fileName = "" }: DocumentHint, format: DocumentFormat): string {
	const extension = extname(fileName).toLowerCase();
	return /^\.[a-z0-9]{1,8}$/.test(extension) ? extension : `.${format}`;
}

function toConversion(
	ending: CommandEnding,
	options: ProgramOptions,
	directory: string,
	format: DocumentFormat,
): Conversion {
	const isCut = ending.reason === "output-limit";
	const markdown = stripControlSequences(ending.stdout.toString("utf8")).trim();
	if ((ending.reason === "exit" && ending.exitCode === 0 && markdown) || isCut)
		return {
			markdown: markdown.slice(0, CONVERSION_LIMITS.maxMarkdownChars),
			truncated: isCut || markdown.length > CONVERSION_LIMITS.maxMarkdownChars,
			metadata: { format },
		};
	const { provider } = options;
	throw explainStop(ending, provider, options) ?? explainExit(ending, provider, directory);
}

function explainExit(ending: CommandEnding, provider: ProgramName, directory: string): ConversionError {
	const { exitCode, signal } = ending;
	const reason = stripControlSequences(ending.message ?? ending.stderr)
		.replaceAll(directory, "")
		.trim();
	const how = exitCode === 0 ? "wrote nothing" : `failed (${signal ?? `exit code ${exitCode}`})`;
	return new ConversionError(
		"CONVERT_FAILED",
		`${provider} ${how}${reason ? `: ${reason.slice(-1000)}` : "."}`,
	);
}
