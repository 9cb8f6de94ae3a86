/** Agent and task of a call as far as they are written: nothing is checked yet. */
export function readCall(args: unknown): { readonly agent: string; readonly task: string } {
	const { agent, task } = (args ?? {}) as { agent?: unknown; task?: unknown };
	return { agent: typeof agent === "string" ? agent : "", task: typeof task === "string" ? task : "" };
}
