import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalPath } from "@deputize/ground";
import type { CommandEnding } from "../process/run-command.ts";
import type { Command } from "./policy.ts";
import type { Sandbox } from "./sandbox-probe.ts";
import { wrap } from "./wrap.ts";

/** Changes, adds and removes; succeeds when all of it is seen, and nothing of the layer itself is. */
const WRITING = `
echo more >> changed && echo new > new && rm removed && mkdir -p deep/new && rm -r directory && mkdir directory || exit 1
[ "$(cat changed)" = "as it was
more" ] && [ ! -e removed ] && [ ! -e directory/inside ] && [ -z "$(ls -A "$1")" ] || exit 2
echo escaped > "$1/upper/changed" 2>/dev/null
umount "$2" 2>/dev/null
grep -q '^CapEff:.*[1-9a-f]' /proc/self/status && exit 3
exit 0
`;

interface LayerTry {
	/** Empty, and where layers will be: not every file system takes one. */
	readonly directory: string;
	run(command: Command): Promise<CommandEnding>;
}

/** How a layer can be mounted over a directory here, found by writing in one and looking at what is below. */
export async function probeLayers(
	sandbox: Sandbox,
	{ directory, run }: LayerTry,
): Promise<Sandbox["layers"]> {
	const reasons: string[] = [];
	for (const how of ["own", "outside"] as const) {
		const reason = await tryLayer({ ...sandbox, layers: { how, reason: "" } }, join(directory, how), run);
		if (reason === undefined) return { how, reason: "" };
		reasons.push(reason);
	}
	return { how: "none", reason: explain(reasons, sandbox) };
}

async function tryLayer(
	sandbox: Sandbox,
	directory: string,
	run: LayerTry["run"],
): Promise<string | undefined> {
	const project = join(directory, "project");
	const state = join(directory, "state");
	for (const path of [join(project, "directory"), ...LAYER_DIRECTORIES.map((name) => join(state, name))])
		mkdirSync(path, { recursive: true, mode: 0o700 });
	symlinkSync(project, join(state, "lower"));
	for (const name of ["changed", "removed", "directory/inside"])
		writeFileSync(join(project, name), "as it was\n");
	const where = canonicalPath(state);
	const layer = { at: canonicalPath(project), state: where, hidden: where, kind: "overlay" } as const;
	const attempt = { command: "/bin/sh", args: ["-c", WRITING, "sh", layer.state, layer.at] };
	const { reason, exitCode, message, stderr } = await run(
		wrap(attempt, { view: "machine", network: "none", calls: "all", cwd: project, layer }, sandbox),
	);
	// The kernel makes it without any rights, and nobody could remove it.
	if (readdirSync(join(state, "work")).includes("work")) chmodSync(join(state, "work", "work"), 0o700);
	if (reason !== "exit" || exitCode !== 0)
		return message ?? (stderr.trim().split("\n").at(-1) || `exit code ${exitCode}`);
	const isUntouched =
		readdirSync(project).sort().join() === "changed,directory,removed" &&
		readFileSync(join(project, "changed"), "utf8") === "as it was\n" &&
		readdirSync(join(project, "directory")).join() === "inside";
	return isUntouched ? undefined : "a write went through to the directory below";
}

/** What the kernel needs to mount a layer; the first has what was written. */
export const LAYER_DIRECTORIES = ["upper", "work", "merged"];

function explain([own = "", outside = ""]: readonly string[], { program }: Sandbox): string {
	const isTooOld = /unknown option|Unknown option/.test(own);
	return `${isTooOld ? `${program} is older than 0.11, and ` : `${program} --overlay: ${own}; `}unshare and mount: ${outside}`;
}
