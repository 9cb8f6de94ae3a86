import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { listExtensions } from "../list-extensions.ts";
import type { PiLibrary } from "../pi-library.ts";
import { readExtensionSource } from "../read-extension-source.ts";
import { listAskableAgents } from "./list-askable-agents.ts";

/** What an extension contains that takes such messages itself. */
const LISTENS = /["'`]input["'`]/;
const LOOKS_FOR_MENTIONS = /startsWith\(\s*["'`]@|\^(?:\\s\*)?\(?@/;

/** Whether `@name` at the beginning of a message is an agent, and nobody else's. */
export async function isForAgent(
	name: string,
	library: PiLibrary,
	context: Pick<ExtensionContext, "cwd" | "isProjectTrusted">,
): Promise<boolean> {
	const { cwd } = context;
	if (existsSync(join(cwd, name)) || !listAskableAgents(cwd).some((agent) => agent.name === name))
		return false;
	return !takesMentions(await listExtensions(library, context));
}

export function takesMentions(extensions: readonly string[]): boolean {
	return extensions.some((file) => {
		const { text } = readExtensionSource(file);
		return LISTENS.test(text) && LOOKS_FOR_MENTIONS.test(text);
	});
}
