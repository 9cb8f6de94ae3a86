import type { Surroundings } from "../../config/read-surroundings.ts";
import { explainChangedPart } from "../../parts/explain-changed-part.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { PART_NAMES, PART_ROWS, type PartName, renderSetupCommand } from "../../parts/part-rows.ts";
import { readPartLocks } from "../../parts/read-part-locks.ts";
import { fail, info, ok, type ReportLine } from "../report.ts";

export interface PartState {
	readonly name: PartName;
	/** `beside`: installed next to deputize by somebody else. `setup`: by `deputize setup`. */
	readonly state: "beside" | "setup" | "missing";
	readonly adds: string;
	readonly without: string;
	/** Name and exact version of each of its own packages. */
	readonly packages: readonly string[];
	readonly bytes: number;
	/** Why it is not loaded although it is there. */
	readonly changed?: string;
	/** The `node_modules` it is in. */
	readonly directory?: string;
}

/** Every optional part and whether it is here. */
export function listParts({ agentDirectory }: Pick<Surroundings, "agentDirectory">): readonly PartState[] {
	const locks = readPartLocks();
	return PART_NAMES.map((name) => {
		const { adds, without, packages } = PART_ROWS[name];
		const located = locatePart(name, { agentDirectory });
		const changed = located && explainChangedPart(located);
		const lock = locks[name];
		return {
			name,
			state: located?.source ?? "missing",
			adds,
			without,
			packages: packages.map((each) => renderVersion(each, lock?.packages[`node_modules/${each}`])),
			bytes: lock?.bytes ?? 0,
			...(changed !== undefined && { changed }),
			...(located && { directory: located.modules }),
		};
	});
}

function renderVersion(name: string, entry: unknown): string {
	const version = (entry as { readonly version?: unknown } | undefined)?.version;
	return typeof version === "string" ? `${name}@${version}` : name;
}

/** One line for each, as `doctor` and `setup` show them. */
export function describePart({
	name,
	state,
	adds,
	without,
	bytes,
	changed,
	directory,
}: PartState): ReportLine {
	const size = bytes > 0 ? ` (${renderMegabytes(bytes)})` : "";
	if (changed !== undefined) return fail(`${name}: ${changed}`);
	if (state !== "missing") return ok(`${name}: ${adds}; in ${directory}`);
	return info(`${name}${size}: ${without}`, `${renderSetupCommand(name)} adds ${adds}`);
}

export function renderMegabytes(bytes: number): string {
	return `${Math.max(0.1, bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
