import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";

export const TOOL_LOADER = "load_tools";

/**
 * Definitions of all our tools would cost every request about 5 KB. They are registered but inactive, and the
 * model activates what it needs: one small tool instead of five large ones. Tools that were named on pi's
 * command line are active from the start.
 */
export function registerToolLoader(pi: ExtensionAPI, names: readonly string[]): void {
	pi.registerTool({
		name: TOOL_LOADER,
		label: "Load tools",
		description: "Activate more tools for yourself.",
		parameters: {
			type: "object",
			properties: { names: { type: "array", items: { type: "string", enum: names }, minItems: 1 } },
			required: ["names"],
			additionalProperties: false,
		} as unknown as TSchema,
		async execute(_toolCallId, params) {
			const wanted = (params as { names: readonly string[] }).names.filter((name) => names.includes(name));
			pi.setActiveTools([...new Set([...pi.getActiveTools(), ...wanted])]);
			return { content: [{ type: "text", text: `Active now: ${wanted.join(", ")}.` }], details: {} };
		},
	});
	pi.on("session_start", () => {
		const named = listNamedTools(process.argv);
		const hidden = names.filter((name) => !named.includes(name));
		pi.setActiveTools(pi.getActiveTools().filter((name) => !hidden.includes(name)));
	});
}

/** What `--tools` on pi's own command line named. */
export function listNamedTools(argv: readonly string[]): readonly string[] {
	const at = argv.findIndex((argument) => argument === "--tools" || argument === "-t");
	return at === -1 ? [] : (argv[at + 1] ?? "").split(",").map((name) => name.trim().replace(/^\+/, ""));
}
