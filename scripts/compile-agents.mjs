// Puts the built-in agents themselves in the place of the code that reads their files.
import { basename } from "node:path";
import { readBuiltinAgents } from "../src/agents/read-builtin-agents.ts";

const MODULE = "/src/agents/read-builtin-agents.ts";
const READING = 'readAgentDirectory(BUILTIN_AGENTS_DIRECTORY, "builtin")';

/** A plugin of the bundler. */
export function createAgentCompiler() {
	let isDone = false;
	return {
		name: "compile-agents",
		transform(code, id) {
			if (!id.replaceAll("\\", "/").endsWith(MODULE)) return null;
			isDone = code.includes(READING);
			return code.replace(READING, () => compileAgents(readBuiltinAgents()));
		},
		buildEnd() {
			if (!isDone) throw new Error(`No module ${MODULE} that says ${READING}: the agents are not compiled`);
		},
	};
}

/** An expression. Where the package will lie is not known yet. */
export function compileAgents({ agents, skipped }) {
	if (skipped.length > 0)
		throw new Error(skipped.map(({ file, reason }) => `${file} is not an agent: ${reason}`).join("\n"));
	const text = JSON.stringify(agents.map((agent) => ({ ...agent, file: basename(agent.file) })));
	return `{
		agents: JSON.parse(${JSON.stringify(text)}).map((agent) => ({
			...agent,
			file: locatePackageFile(\`agents/\${agent.file}\`),
		})),
		skipped: [],
	}`;
}
