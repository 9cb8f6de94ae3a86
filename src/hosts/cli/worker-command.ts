import { BatchError } from "../../batch/batch-error.ts";
import { BATCH_LIMITS } from "../../batch/batch-limits.ts";
import { runWorker } from "../../batch/queue/run-worker.ts";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { checkDirectory } from "./check-directory.ts";
import type { CommandHelp } from "./command-row.ts";
import { option, parseCommandLine, parsePositiveNumber } from "./parse-command-line.ts";
import { readQueueAddress } from "./read-queue-address.ts";
import { redactLine } from "./show-error.ts";
import { showRefusals } from "./show-refusals.ts";
import { UsageError } from "./usage-error.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

const OPTIONS = {
	queue: option("<url>", "redis://…, rediss://…, postgres://… or file:PATH with it (or DEPUTIZE_QUEUE)"),
	jobs: option("<n>", "run so many at once (default 4)", { short: "j" }),
	workspace: option("name=path", "a directory batches may name; may be repeated", { multiple: true }),
	agents: option("a,b", "agents that may run; no other is started"),
	"service-limit": option("service=n", "ask one service of models n times at once at most; may be repeated", {
		multiple: true,
	}),
	name: option("<text>", "its name in batch status (default: host and process)"),
	"lease-ms": option("<n>", "silence after which its tasks go to others (default 30000)"),
};

export const WORKER_HELP: CommandHelp = {
	usage: ["worker --queue URL -j N --workspace name=path --agents a,b"],
	examples: [["deputize worker --queue redis://localhost --workspace app=. --agents reviewer,explorer"]],
	options: OPTIONS,
	notes: `Work from a queue never writes. It runs on this machine and with its credentials. A batch made for another commit or
another version of an agent is refused and waits for a worker that has it. Workers can be started and stopped while batches
run. Ctrl-C once: finish what runs and leave; twice: give it back.`,
};

/** A lease that is renewed more often than this says more about the machine's load than about the worker. */
const SHORTEST_LEASE_MS = 1000;

/** `deputize worker`: runs tasks of batches from a queue until it is stopped. */
export async function runWorkerCommand(argv: readonly string[]): Promise<number> {
	const code = await showRefusals("deputize worker", () => work(argv), [UsageError, BatchError]);
	// The connection to a server that is gone would go on trying.
	return process.exit(code);
}

async function work(argv: readonly string[]): Promise<number> {
	const { values } = parseCommandLine(argv, OPTIONS);
	const { name } = values;
	const queue = readQueueAddress(values.queue);
	if (queue === undefined)
		throw new UsageError(
			"Missing queue. Name it with --queue redis://… or postgres://…, or in DEPUTIZE_QUEUE.",
		);
	const leaseMs = parsePositiveNumber(values["lease-ms"], "--lease-ms", {
		max: MAX_TIMEOUT_MS,
		isWhole: true,
	});
	if (leaseMs !== undefined && leaseMs < SHORTEST_LEASE_MS) {
		throw new UsageError(`--lease-ms takes at least ${SHORTEST_LEASE_MS}, not ${leaseMs}.`);
	}
	const say = (line: string): void => void process.stderr.write(`${redactLine(line)}\n`);
	const interrupts = watchInterrupts(
		() => say("Leaving: finishing what runs. Once more to give it back to the queue."),
		() => undefined,
	);
	const [drain, stop] = interrupts.signals;
	try {
		await runWorker({
			queue,
			name,
			leaseMs,
			concurrency:
				parsePositiveNumber(values.jobs, "-j", { max: BATCH_LIMITS.maxConcurrency, isWhole: true }) ??
				BATCH_LIMITS.defaultConcurrency,
			workspaces: readWorkspaces(values.workspace ?? []),
			agents: readAgents(values.agents),
			serviceLimits: readServiceLimits(values["service-limit"] ?? []),
			env: process.env,
			drain,
			stop,
			onNotice: say,
		});
		return 0;
	} finally {
		interrupts.stop();
	}
}

function readWorkspaces(values: readonly string[]): ReadonlyMap<string, string> {
	if (values.length === 0)
		throw new UsageError("Missing workspace. Name a directory with --workspace name=path.");
	return new Map(
		values.map((value) => {
			const [, name, path] = /^([A-Za-z0-9._-]+)=(.+)$/.exec(value) ?? [];
			if (name === undefined || path === undefined) {
				throw new UsageError(`--workspace takes name=path, not ${JSON.stringify(value)}.`);
			}
			return [name, checkDirectory("--workspace", path)];
		}),
	);
}

function readServiceLimits(values: readonly string[]): ReadonlyMap<string, number> {
	return new Map(
		values.map((value) => {
			const [, service = "", limit] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
			const count = parsePositiveNumber(limit ?? value, "--service-limit", {
				max: BATCH_LIMITS.maxConcurrency,
				isWhole: true,
			});
			return [service, count ?? BATCH_LIMITS.maxConcurrency];
		}),
	);
}

function readAgents(value: string | undefined): readonly string[] {
	const names = (value ?? "")
		.split(",")
		.map((name) => name.trim())
		.filter((name) => name !== "");
	if (names.length === 0) throw new UsageError("Missing agents. Name those that may run with --agents a,b.");
	return names;
}
