// npm run bench:faults: every fault for every contender, in one run on one machine. Writes the table to docs/peers-faults.md.
import { spawn } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledNode } from "../../scripts/install-dependencies.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { CONTENDERS, PROBE_AGENT } = await import("./contenders.mjs");
const { FAULTS } = await import("./faults.mjs");
const { PARENT_MARK, startFaultyProvider } = await import("./faulty-provider.mjs");

const PI = join(root, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const DEFAULT_WATCH_MS = 60_000;
const MARK = "DEPUTIZE_BENCH_RUN";

async function runCase(contender, fault) {
	const directory = mkdtempSync(join(tmpdir(), "faults-"));
	const agentDirectory = join(directory, "home/.pi/agent");
	const project = join(directory, "project");
	mkdirSync(join(agentDirectory, "agents"), { recursive: true });
	mkdirSync(project);
	writeFileSync(join(project, "README.md"), "# demo\n");
	giveOwnTemporaryDirectory(directory);
	writeFileSync(join(agentDirectory, "agents/probe.md"), PROBE_AGENT);
	if (fault.config) writeFileSync(join(agentDirectory, "deputize.json"), JSON.stringify(fault.config));
	const provider = await startFaultyProvider({
		tool: contender.tool,
		args: contender.args("CHILD-TASK: look"),
		fault,
	});
	writeFileSync(join(agentDirectory, "models.json"), JSON.stringify(models(provider.baseUrl)));
	try {
		return fault.judge(await drive(contender, fault, provider, { directory, project }));
	} finally {
		await provider.close();
		endMarked(directory);
		rmSync(directory, { recursive: true, force: true });
	}
}

/** One package keeps what it thinks of a model there for a day, and a fault must not spoil the next case. Caches of code are shared. */
function giveOwnTemporaryDirectory(directory) {
	mkdirSync(join(directory, "tmp"));
	for (const cache of ["jiti", "node-compile-cache"]) {
		mkdirSync(join(tmpdir(), cache), { recursive: true });
		symlinkSync(join(tmpdir(), cache), join(directory, "tmp", cache));
	}
}

function models(baseUrl) {
	const model = {
		id: "model",
		name: "m",
		reasoning: false,
		input: ["text"],
		contextWindow: 100_000,
		maxTokens: 4000,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
	};
	return { providers: { scripted: { baseUrl, api: "openai-completions", apiKey: "k", models: [model] } } };
}

/** Runs the parent until its delegation ends, or the time is over. */
async function drive(contender, fault, provider, { directory, project }) {
	const parent = spawn(
		bundledNode(),
		[
			PI,
			"--mode",
			"json",
			"-p",
			"--no-session",
			"-ne",
			"-e",
			contender.extension,
			"--model",
			"scripted/model",
		],
		{
			cwd: project,
			env: {
				PATH: process.env.PATH,
				HOME: join(directory, "home"),
				TMPDIR: join(directory, "tmp"),
				[MARK]: directory,
			},
			stdio: ["pipe", "pipe", "ignore"],
		},
	);
	parent.stdin.end(`${PARENT_MARK}: delegate this`);
	const seen = { output: "", result: undefined };
	parent.stdout.on("data", (chunk) => {
		seen.output += chunk;
		seen.result ??= findResult(seen.output, contender.tool);
	});
	const exited = new Promise((resolve) => parent.once("exit", resolve));
	if (fault.killParent) {
		await until(() => provider.state.openChildRequests > 0, DEFAULT_WATCH_MS);
		parent.kill("SIGKILL");
		await exited;
		await new Promise((resolve) => setTimeout(resolve, 3000));
		return { orphans: listMarked(directory).length };
	}
	const ended = await until(
		() => seen.result !== undefined || parent.exitCode !== null,
		fault.watchMs ?? DEFAULT_WATCH_MS,
	);
	if (!ended || !seen.result) return { ...hung(), files: readdirSync(project) };
	await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 5000))]);
	parent.kill("SIGTERM");
	return {
		...seen.result,
		everything: seen.output
			.split("\n")
			.filter((line) => line.includes('"tool_execution_end"'))
			.join("\n"),
		files: readdirSync(project),
	};
}

const hung = () => ({ isError: false, text: "", everything: "", hung: true });

function findResult(output, tool) {
	for (const line of output.split("\n")) {
		if (!line.startsWith('{"type":"tool_execution_end"')) continue;
		try {
			const event = JSON.parse(line);
			if (event.toolName !== tool) continue;
			return {
				isError: event.isError,
				text: (event.result?.content ?? []).map((block) => block.text ?? "").join("\n"),
			};
		} catch {
			// The line is not complete yet.
		}
	}
	return undefined;
}

async function until(condition, limitMs) {
	const end = Date.now() + limitMs;
	while (Date.now() < end) {
		if (condition()) return true;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return false;
}

/** Processes that inherited the mark of this case from its parent. */
function listMarked(directory) {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && isMarked(name, directory))
		.map(Number);
}

function isMarked(pid, directory) {
	try {
		return (
			readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${directory}/home`) &&
			!/^Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1])
		);
	} catch {
		return false;
	}
}

function endMarked(directory) {
	for (const pid of listMarked(directory)) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// Already gone.
		}
	}
}

const rows = [];
for (const fault of FAULTS) {
	const cells = [];
	for (const contender of CONTENDERS) {
		const result = await runCase(
			{ ...contender },
			{ ...fault, judge: (seen) => (seen.hung ? "HUNG" : fault.judge(seen)) },
		);
		cells.push(result);
		console.error(`${fault.name} · ${contender.name}: ${result}`);
	}
	rows.push(`| ${fault.name} | ${cells.join(" | ")} |`);
}

const table = [
	`| Fault | ${CONTENDERS.map(({ name }) => name).join(" | ")} |`,
	`|---|${"---|".repeat(CONTENDERS.length)}`,
	...rows,
].join("\n");
writeFileSync(
	join(root, "docs/peers-faults.md"),
	`# The same faults, side by side

Made by \`npm run bench:faults\`: a real pi 0.87.1 parent in JSON mode, one foreground delegation to the same readonly agent, a
provider on loopback that misbehaves for the child. Upper case is bad. ${cpus().length} cores, Node ${process.versions.node}.

${table}

"reported": the tool result is marked as an error for the model. "told in the text only": the text says so, the mark is missing.
In-process packages have no child that could be left behind by a killed parent.
`,
);
console.log(table);
