import { spawnSync } from "node:child_process";
import { delimiter, dirname, matchesGlob } from "node:path";
import { createGrepTool, createLsTool, createReadTool } from "@earendil-works/pi-coding-agent";
import { rgPath } from "@vscode/ripgrep";

/** pi's own tools over a directory, `find` served by ripgrep as in a child without fd. */
export interface ToolRunner {
	readonly cwd: string;
	run(tool: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

// pi looks for `rg` on PATH; the benchmark must not depend on the machine having one.
process.env["PATH"] = `${dirname(rgPath)}${delimiter}${process.env["PATH"] ?? ""}`;
process.env["PI_OFFLINE"] = "1";

export function createToolRunner(cwd: string): ToolRunner {
	const tools = { grep: createGrepTool(cwd), ls: createLsTool(cwd), read: createReadTool(cwd) };
	return {
		cwd,
		async run(tool, args) {
			try {
				if (tool === "find") return { text: findFiles(cwd, args), isError: false };
				const known = tools[tool as keyof typeof tools];
				if (known === undefined) return { text: `Unknown tool ${tool}`, isError: true };
				const result = await known.execute("bench", args as never, undefined, undefined);
				const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
				return { text, isError: false };
			} catch (error) {
				return { text: error instanceof Error ? error.message : String(error), isError: true };
			}
		},
	};
}

/** A positive `--glob` would override .gitignore, so ripgrep lists everything and the glob is applied here. */
function findFiles(cwd: string, args: Record<string, unknown>): string {
	const pattern = String(args["pattern"]);
	const limit = typeof args["limit"] === "number" ? args["limit"] : 1000;
	const ran = spawnSync(rgPath, ["--files", "--hidden", "--no-require-git", "--glob", "!.git"], {
		cwd,
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
	});
	const found = ran.stdout.split("\n").filter((path) => path !== "" && matchesGlob(path, `**/${pattern}`));
	if (found.length === 0) return "No files found matching pattern";
	const cut = found.length > limit;
	const notice = cut
		? `\n\n[${limit} results limit reached. Use limit=${limit * 2} for more, or refine pattern]`
		: "";
	return found.slice(0, limit).join("\n") + notice;
}
