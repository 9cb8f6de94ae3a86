import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testDirectory } from "./test-directory.ts";

/** A home directory and a project of its own for one test. */
export interface TestHome {
	readonly home: string;
	readonly project: string;
	readonly agentDirectory: string;
	readonly env: Record<string, string>;
	/** Writes a file, given by its path below the project or, when absolute, anywhere. */
	write(path: string, text: string): string;
	remove(): void;
}

export function createTestHome(files: Readonly<Record<string, string>> = {}, parent = tmpdir()): TestHome {
	const root = mkdtempSync(join(parent, "deputize-test-"));
	const home = join(root, "home");
	const project = join(root, "project");
	const agentDirectory = join(home, ".pi", "agent");
	mkdirSync(agentDirectory, { recursive: true });
	mkdirSync(project, { recursive: true });
	const write = (path: string, text: string): string => {
		const file = path.startsWith("/") ? path : join(project, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	};
	for (const [path, text] of Object.entries(files)) write(path, text);
	return {
		home,
		project,
		agentDirectory,
		env: {
			PATH: process.env["PATH"] ?? "",
			HOME: home,
			LANG: "C.UTF-8",
			// One for the whole run: compiling pi again for every child would cost a quarter of a second each time.
			NODE_COMPILE_CACHE: join(testDirectory(), "node-compile-cache"),
		},
		write,
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

/** Directories of runs that should not be there any more. */
export function listRunDirectories(agentDirectory: string): readonly string[] {
	const runs = join(agentDirectory, "deputize", "runs");
	return existsSync(runs) ? readdirSync(runs) : [];
}
