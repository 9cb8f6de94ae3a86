import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { canonicalPath, findProject, isInside } from "@deputize/ground";
import { changeJson } from "./change-json.ts";
import { changeToml } from "./change-toml.ts";
import type { ClientRow, InstallPlace, ServerCommand } from "./client-rows.ts";

/** What installing for one client would do, without doing it. */
export interface InstallPlan {
	readonly row: ClientRow;
	/** The file itself, where its name is a link. */
	readonly file: string;
	/** Undefined when there is no file yet. */
	readonly before?: string;
	/** Absent when the file is left alone. */
	readonly after?: string;
	/** Why it is left alone, as the end of a sentence about the file. */
	readonly problem?: string;
	/** What belongs into the file, to be put there by hand. */
	readonly entry: string;
}

export function planInstall(row: ClientRow, server: ServerCommand, place: InstallPlace): InstallPlan {
	const entry = row.toEntry(server);
	const change = row.format === "toml" ? changeToml : changeJson;
	const alone = change(undefined, row.path, entry);
	const plan = { row, file: row.locate(place), entry: "text" in alone ? alone.text : "" };
	const tree = findProject(place.cwd, place.home);
	const leadsTo = canonicalPath(plan.file);
	// A link of the user's own is followed; one that came with a project is not.
	if (tree !== undefined && isInside(tree, plan.file) && leadsTo !== plan.file)
		return {
			...plan,
			problem: `leads to ${leadsTo} by a link of this project, which is not written through`,
		};
	try {
		const file = realpathSync(plan.file);
		const before = readFileSync(file, "utf8");
		const changed = change(before, row.path, entry);
		if ("problem" in changed) return { ...plan, file, before, problem: changed.problem };
		return { ...plan, file, before, after: changed.text };
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT") {
			// Written through, the link would be lost; its target is somebody's plan.
			const isLink = lstatSync(plan.file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
			return isLink
				? { ...plan, problem: "is a link to a file that does not exist" }
				: { ...plan, after: plan.entry };
		}
		return { ...plan, problem: `cannot be read (${code ?? String(error)})` };
	}
}
