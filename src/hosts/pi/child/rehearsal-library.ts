import type * as codingAgent from "@earendil-works/pi-coding-agent";

/** What a rehearsal uses of pi. */
export type RehearsalLibrary = Pick<typeof codingAgent, (typeof NEEDED)[number]>;

const NEEDED = [
	"createAgentSession",
	"DefaultResourceLoader",
	"initTheme",
	"ModelRuntime",
	"SessionManager",
	"SettingsManager",
] as const;

export function hasRehearsalLibrary(exported: object): exported is RehearsalLibrary {
	return NEEDED.every((name) => typeof (exported as Record<string, unknown>)[name] === "function");
}
