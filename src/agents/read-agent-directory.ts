import { closeSync, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { canonicalPath, codeOf, isInside, OPEN_REGULAR } from "@deputize/ground";
import type { AgentDefinition, AgentSource, SkippedAgentFile } from "../contract/agent.ts";
import { LIMITS } from "../contract/limits.ts";
import { parseAgentFile, type ReadBeside } from "./parse-agent-file.ts";

const AGENT_FILE = /\.(md|markdown)$/i;

/** A folder that some packages keep their agents in. Of a project or an extension it has prompts of all kinds. */
export const PROMPTS = "prompts";

/**
 * Every agent file directly in a directory or in its folder `prompts`. A directory that does not exist is simply
 * empty; of two files with the same name of an agent the one outside `prompts` is taken.
 */
export function readAgentDirectory(path: string, source: AgentSource) {
	const isMixed = basename(path) === PROMPTS;
	const folders = isMixed ? [path] : [path, join(path, PROMPTS)];
	const listings = folders.map((directory) => listAgentFiles(directory, source));
	const agents: AgentDefinition[] = [];
	const skipped = listings.flatMap((listing) => listing.skipped);
	for (const [index, { file, entry }] of listings.flatMap((listing) => listing.files).entries()) {
		const outcome =
			index >= LIMITS.maxAgentFilesPerDirectory
				? `only the first ${LIMITS.maxAgentFilesPerDirectory} files of a directory are read`
				: readAgentFile(file, entry, source, agents);
		if (isMixed && typeof outcome === "string" && !namesAgent(file)) continue;
		if (typeof outcome === "string") skipped.push({ file, source, reason: outcome });
		else agents.push(outcome);
	}
	return { agents, skipped };
}

export type AgentDirectory = ReturnType<typeof readAgentDirectory>;

interface Listing {
	readonly files: readonly { readonly file: string; readonly entry: Dirent }[];
	readonly skipped: SkippedAgentFile[];
}

function listAgentFiles(path: string, source: AgentSource): Listing {
	const skip = (reason: string): Listing => ({ files: [], skipped: [{ file: path, source, reason }] });
	try {
		// A project could point its directory anywhere; a user who links their own dotfiles knows what they do.
		if (source === "project" && lstatSync(path).isSymbolicLink())
			return skip("the directory is a symbolic link");
		const files = readdirSync(path, { withFileTypes: true })
			.filter((entry) => AGENT_FILE.test(entry.name))
			.sort((a, b) => (a.name < b.name ? -1 : 1))
			.map((entry) => ({ file: join(path, entry.name), entry }));
		return { files, skipped: [] };
	} catch (error) {
		const code = codeOf(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { files: [], skipped: [] };
		return skip(`the directory cannot be read (${code})`);
	}
}

/** The agent, or the reason why the file is skipped. */
function readAgentFile(
	file: string,
	entry: Dirent,
	source: AgentSource,
	earlier: readonly AgentDefinition[],
): AgentDefinition | string {
	if (entry.isSymbolicLink()) return "symbolic links are not followed: put the file itself here";
	if (!entry.isFile()) return "not a regular file";
	const text = readSmallFile(file);
	if (!text.ok) return text.reason;
	const parsed = parseAgentFile(text.text, file, source, (path) => readBeside(file, path));
	if (!parsed.ok) return parsed.reason;
	const same = earlier.find((agent) => agent.name.toLowerCase() === parsed.agent.name.toLowerCase());
	return same ? `the name ${parsed.agent.name} is already taken by ${same.file}` : parsed.agent;
}

/** Whether a file says that it is an agent: it has a field `name`. Other prompts have none. */
function namesAgent(file: string): boolean {
	const text = readSmallFile(file);
	if (!text.ok) return false;
	const [first = "", ...lines] = text.text.replace(/^\uFEFF/, "").split("\n", LIMITS.maxAgentFileBytes);
	const end = lines.findIndex((line) => line.trimEnd() === "---");
	const header = end < 0 ? lines : lines.slice(0, end);
	return first.trimEnd() === "---" && header.some((line) => /^name:\s*\S/.test(line));
}

/** A file of the same directory or below it, by its real path: a project's link must not lead to a file of the user's. */
function readBeside(agentFile: string, path: string): ReturnType<ReadBeside> {
	const directory = dirname(agentFile);
	const file = resolve(directory, path);
	if (!isInside(canonicalPath(directory), canonicalPath(file)))
		return { ok: false, reason: "is not in the directory of the agent file" };
	return readSmallFile(file);
}

function readSmallFile(file: string): ReturnType<ReadBeside> {
	const refuse = (reason: string) => ({ ok: false, reason }) as const;
	let descriptor: number | undefined;
	try {
		// Following no link closes the gap between looking at the entry and opening it; a pipe would wait for a writer.
		descriptor = openSync(file, OPEN_REGULAR);
		const entry = fstatSync(descriptor);
		if (!entry.isFile()) return refuse("not a regular file");
		if (entry.size > LIMITS.maxAgentFileBytes)
			return refuse(
				`${entry.size} bytes are more than the ${LIMITS.maxAgentFileBytes} an agent file may have`,
			);
		return { ok: true, text: readFileSync(descriptor, "utf8") };
	} catch (error) {
		return refuse(`cannot be read (${codeOf(error)})`);
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
