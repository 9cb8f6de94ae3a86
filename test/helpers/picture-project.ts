import { execFileSync } from "node:child_process";

/** Everything in a project with its content, Git's own files too. */
export function pictureProject(project: string): string {
	const run = (command: string): string =>
		execFileSync("sh", ["-c", command], { cwd: project, encoding: "utf8" });
	// Git marks an object of a repository as still used when it is looked for, so those have no time here.
	return [
		run("find . -path ./.git/objects -prune -o -printf '%y %m %s %T@ %p %l\\n' | sort"),
		run("find . -type f -print0 | sort -z | xargs -0 sha256sum"),
	].join("\n");
}
