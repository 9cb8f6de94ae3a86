type CodingAgent = typeof import("@earendil-works/pi-coding-agent");
type Tui = typeof import("@earendil-works/pi-tui");

const OF_CODING_AGENT = [
	"DefaultPackageManager",
	"SettingsManager",
	"VERSION",
	"getMarkdownTheme",
	"getPackageDir",
	"hasTrustRequiringProjectResources",
	"keyHint",
	"withFileMutationQueue",
] as const satisfies readonly (keyof CodingAgent)[];
const OF_TUI = [
	"Input",
	"Markdown",
	"matchesKey",
	"truncateToWidth",
	"visibleWidth",
	"wrapTextWithAnsi",
] as const satisfies readonly (keyof Tui)[];

/**
 * The values of pi that the parent uses. They come as a parameter because a module that Node loads itself
 * cannot import pi: the package is not installed beside ours, only pi's own loader knows where it is.
 */
export type PiLibrary = Pick<CodingAgent, (typeof OF_CODING_AGENT)[number]> &
	Pick<Tui, (typeof OF_TUI)[number]>;

/** pi's loader answers each name on its own: asking for all would take two milliseconds of every start. */
export function pickLibrary(codingAgent: CodingAgent, tui: Tui): PiLibrary {
	return { ...pick(codingAgent, OF_CODING_AGENT), ...pick(tui, OF_TUI) };
}

function pick<T extends object, K extends keyof T>(source: T, names: readonly K[]): Pick<T, K> {
	return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<T, K>;
}
