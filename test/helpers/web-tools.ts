import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CONFIG, type WebConfig } from "../../src/contract/config.ts";
import type { HostNeutralTool, ToolContext, ToolOutcome } from "../../src/contract/tool.ts";
import { createWebTools } from "../../src/tools/web/create-web-tools.ts";
import type { WebToolsOptions } from "../../src/tools/web/web-tools-options.ts";

export interface WebToolbox {
	readonly directory: string;
	readonly tools: readonly HostNeutralTool[];
	call(name: string, input: unknown, context?: Partial<ToolContext>): Promise<ToolOutcome>;
	/** The same tools as a new process of the same session would make them. */
	restart(): WebToolbox;
	close(): Promise<void>;
}

/** Web tools over a temporary directory, with private networks allowed so that loopback servers can be reached. */
export async function openWebToolbox(
	config: Partial<WebConfig> = {},
	options: Partial<WebToolsOptions> = {},
): Promise<WebToolbox> {
	const directory = await mkdtemp(join(tmpdir(), "deputize-web-"));
	return createToolbox(directory, config, options);
}

function createToolbox(
	directory: string,
	config: Partial<WebConfig>,
	options: Partial<WebToolsOptions>,
): WebToolbox {
	const tools = createWebTools({
		config: { ...DEFAULT_CONFIG.web, allowPrivateNetwork: true, ...config },
		env: {},
		home: directory,
		storeDirectory: join(directory, "store"),
		...options,
	});
	return {
		directory,
		tools,
		call(name, input, context = {}) {
			const tool = tools.find((candidate) => candidate.name === name);
			if (!tool) throw new Error(`There is no tool ${name}.`);
			return tool.execute(input, { cwd: directory, signal: new AbortController().signal, ...context });
		},
		restart: () => createToolbox(directory, config, options),
		close: () => rm(directory, { recursive: true, force: true }),
	};
}

/** The text between the markers, which is what a page said, without its title and the address it redirected to. */
export function readMarked(outcome: ToolOutcome): string {
	const parts = outcome.text.split(/<untrusted-content source="[^"]*" boundary="[0-9a-f]+">\n/).slice(1);
	return parts
		.map((part) => part.slice(0, part.search(/\n<\/untrusted-content boundary="[0-9a-f]+">/)))
		.map((part) => part.replace(/^(?:Title: .*\n|Redirected to: .*\n)+\n/, ""))
		.join("\n");
}
