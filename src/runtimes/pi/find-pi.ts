import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { asObject, asText, defined, type Environment, listAncestors, readJsonFile } from "@deputize/ground";
import { DelegationError } from "../../contract/error-codes.ts";
import { isNodeOlder, parseNodeVersion } from "../../contract/node-version.ts";
import { findExecutable } from "../../process/find-executable.ts";

/** How to start pi, and which one it is. */
export interface PiProgram {
	readonly command: string;
	/** Arguments that come before pi's own. */
	readonly prefix: readonly string[];
	/** Undefined if it cannot be determined. */
	readonly version?: string;
	/** What its package asks for, when this Node would run it. */
	readonly oldestNode?: string;
}

const PACKAGE = join("@earendil-works", "pi-coding-agent");
/** The unbundled `dist/cli.js` does the same but takes more than twice as long to start. */
const BUNDLE = join("dist", "bundle", "cli.js");
const SCRIPT = /\.(js|mjs|cjs)$/;

const INSTALL_ADVICE =
	"Install it with: npm install -g @earendil-works/pi-coding-agent, or name it in PI_SUBAGENT_PI_BINARY, or run the agent without pi: --runtime loop.";
const INSTALL_GAIN = "To use pi, install it: npm install -g @earendil-works/pi-coding-agent";

/** There is no pi that could run here. */
export class NoPiError extends DelegationError {
	readonly why: string;
	/** What a person gains by changing that, for somebody who goes on without pi. */
	readonly gain: string;

	constructor(why: string, advice: string, gain: string) {
		super("SUBAGENT_FAILED", `${why}. ${advice}`);
		this.why = why;
		this.gain = gain;
	}
}

/**
 * `PI_SUBAGENT_PI_BINARY`, the pi we run in, the one installed next to this package, or the one on PATH, in this
 * order. `runningPackage` is the directory of the running pi's package, if the host knows it.
 */
export function findPi(options: {
	readonly env: Environment;
	readonly cwd: string;
	readonly runningPackage?: string | undefined;
	/** Of the Node that would run it: this one. */
	readonly nodeVersion?: string;
}): PiProgram {
	const named = options.env["PI_SUBAGENT_PI_BINARY"];
	if (named) return useNamed(named, options.cwd, options.env);
	const found =
		(options.runningPackage ? usePackage(options.runningPackage) : undefined) ??
		useInstalled() ??
		useOnPath(options.env);
	if (found === undefined) throw new NoPiError("pi was not found", INSTALL_ADVICE, INSTALL_GAIN);
	checkNode(found, options.nodeVersion ?? process.versions.node);
	return found;
}

/** A pi that another Node runs, such as one named by the user, is not ours to judge. */
function checkNode({ oldestNode }: PiProgram, version: string): void {
	if (oldestNode === undefined || !isNodeOlder(parseNodeVersion(oldestNode), version)) return;
	const needed = parseNodeVersion(oldestNode).join(".");
	throw new NoPiError(
		`pi needs Node ${needed} or newer, and this is Node ${version}`,
		"Install a newer Node, or run the agent without pi: --runtime loop.",
		`With Node ${needed} or newer, children are pi: its models, logins and extensions.`,
	);
}

/** A bare name is looked for on PATH, as a shell does: a file of that name in the project must not be run instead. */
function useNamed(named: string, cwd: string, env: Environment): PiProgram {
	const isBare = !/[\\/]/.test(named);
	const path = isBare ? findExecutable(named, env) : resolve(cwd, named);
	if (path === undefined || !existsSync(path)) {
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`PI_SUBAGENT_PI_BINARY names ${JSON.stringify(named)}, which ${isBare ? "is not on PATH" : "does not exist"}. Correct or unset it.`,
		);
	}
	return SCRIPT.test(path) ? { command: process.execPath, prefix: [path] } : { command: path, prefix: [] };
}

function usePackage(directory: string): PiProgram | undefined {
	const script = join(directory, BUNDLE);
	if (!existsSync(script)) return undefined;
	const manifest = asObject(readJsonFile(join(directory, "package.json")));
	const version = asText(manifest["version"]) || undefined;
	const oldestNode = asText(asObject(manifest["engines"])["node"]) || undefined;
	return { command: process.execPath, prefix: [script], ...defined({ version, oldestNode }) };
}

function useInstalled(): PiProgram | undefined {
	const folders = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
	for (const folder of folders) {
		const program = usePackage(join(folder, PACKAGE));
		if (program) return program;
	}
	return undefined;
}

function useOnPath(env: Environment): PiProgram | undefined {
	const executable = findExecutable("pi", env);
	if (!executable) return undefined;
	const above = listAncestors(dirname(realpathSync(executable)));
	const owner = [...above].find((directory) => directory.endsWith(PACKAGE));
	return (owner ? usePackage(owner) : undefined) ?? { command: executable, prefix: [] };
}
