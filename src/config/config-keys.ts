import { PRIVILEGED_LSP_ACTIONS, READONLY_LSP_ACTIONS } from "../contract/config.ts";
import { REMOTE_SEARCH_PROVIDERS } from "../contract/search-providers.ts";

/**
 * One configuration key: what values it takes, and what a project's own file may do to it. A project can
 * only tighten, because its file comes with the repository and not from the person who runs it.
 */
export interface ConfigKey {
	readonly expected: string;
	accepts(value: unknown): boolean;
	/** The value after the project's wish, or undefined when a project has no say in this key. */
	tighten(current: unknown, wish: unknown): unknown;
}

const noSay = (): undefined => undefined;
const smaller = (current: unknown, wish: unknown): unknown => Math.min(current as number, wish as number);
const onlyOff = (current: unknown, wish: unknown): unknown => (current as boolean) && (wish as boolean);
const union = (current: unknown, wish: unknown): unknown => [
	...new Set([...(current as string[]), ...(wish as string[])]),
];
const intersection = (current: unknown, wish: unknown): unknown =>
	(current as string[]).filter((item) => (wish as string[]).includes(item));

function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): ConfigKey {
	const range =
		maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
	return {
		expected: `a whole number ${range}`,
		accepts: (value) =>
			Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
		tighten: smaller,
	};
}

function flag(tighten: ConfigKey["tighten"]): ConfigKey {
	return { expected: "true or false", accepts: (value) => typeof value === "boolean", tighten };
}

/** Choices are written from the loosest to the strictest. */
function choice(options: readonly string[], tighten?: ConfigKey["tighten"]): ConfigKey {
	const stricter = (current: unknown, wish: unknown): unknown =>
		options.indexOf(wish as string) > options.indexOf(current as string) ? wish : current;
	return {
		expected: `one of ${options.map((option) => JSON.stringify(option)).join(", ")}`,
		accepts: (value) => options.includes(value as string),
		tighten: tighten ?? stricter,
	};
}

function names(tighten: ConfigKey["tighten"], known?: readonly string[]): ConfigKey {
	return {
		expected: known ? `a list of ${known.join(", ")}` : "a list of names",
		accepts: (value) =>
			Array.isArray(value) &&
			value.every((item) => typeof item === "string" && (!known || known.includes(item))),
		tighten,
	};
}

const text: ConfigKey = { expected: "a text", accepts: (value) => typeof value === "string", tighten: noSay };

const url: ConfigKey = {
	expected: "an http or https address, or an empty text",
	accepts: (value) => value === "" || (typeof value === "string" && /^https?:\/\/\S+$/.test(value)),
	tighten: noSay,
};

/** Every key by its path. `lsp.servers` is a table of its own and checked apart. */
export const CONFIG_KEYS: ReadonlyMap<string, ConfigKey> = new Map([
	["subagents.enabled", flag(onlyOff)],
	["subagents.maxDepth", integer(0, 8)],
	["subagents.maxConcurrency", integer(1, 32)],
	["subagents.timeoutMs", integer(1)],
	["subagents.idleTimeoutMs", integer(1)],
	["subagents.maxMemoryMb", integer(128)],
	["subagents.allowWrite", flag(onlyOff)],
	["subagents.allowLspTools", flag(onlyOff)],
	["subagents.allowedLspActions", names(intersection, [...READONLY_LSP_ACTIONS, ...PRIVILEGED_LSP_ACTIONS])],
	["subagents.injectDelegationPolicy", flag(onlyOff)],
	["subagents.earlyStart", flag(onlyOff)],
	["subagents.sandbox", choice(["off", "auto", "required"])],
	["subagents.projectAgents", choice(["allow", "confirm", "deny"])],
	["subagents.disabledAgents", names(union)],
	["subagents.readable", names(noSay)],
	["subagents.unreadable", names(union)],
	["subagents.contextFiles", flag(onlyOff)],
	["subagents.retry.enabled", flag(onlyOff)],
	["subagents.retry.maxAttempts", integer(1, 10)],
	["subagents.finalize.mode", choice(["text", "required"])],
	["subagents.finalize.maxCorrections", integer(0, 10)],
	["subagents.maxIdenticalFailures", integer(2, 1000)],
	["subagents.sessions.maxAgeDays", integer(1)],
	["web.enabled", flag(onlyOff)],
	["web.provider", choice(["auto", ...REMOTE_SEARCH_PROVIDERS, "local"], noSay)],
	["web.providerPriority", names(noSay, [...REMOTE_SEARCH_PROVIDERS, "local"])],
	["web.timeoutMs", integer(1)],
	["web.maxResponseBytes", integer(1024)],
	["web.maxContentChars", integer(100)],
	["web.maxResults", integer(1, 50)],
	["web.maxStoredResults", integer(1)],
	["web.maxStoredContentChars", integer(1000)],
	["web.allowPrivateNetwork", flag(onlyOff)],
	["web.enableJinaFallback", flag(onlyOff)],
	["web.jinaTimeoutMs", integer(1)],
	["web.cache.enabled", flag(onlyOff)],
	["web.cache.maxEntries", integer(1)],
	["web.cache.ttlMs", integer(0)],
	["web.concurrency.maxConcurrent", integer(1, 32)],
	["web.concurrency.maxQueueSize", integer(0)],
	...REMOTE_SEARCH_PROVIDERS.flatMap((provider): [string, ConfigKey][] => [
		[`web.${provider}.baseUrl`, url],
		[`web.${provider}.apiKeyEnv`, text],
	]),
	["convert.enabled", flag(onlyOff)],
	["convert.provider", choice(["builtin", "markitdown", "pandoc", "officeparser"], noSay)],
	["convert.command", text],
	["convert.timeoutMs", integer(1)],
	["convert.maxInputBytes", integer(1024)],
	["convert.maxMemoryMb", integer(128)],
	["convert.maxContentChars", integer(100)],
	["convert.allowPrivateNetwork", flag(onlyOff)],
	["lsp.enabled", flag(onlyOff)],
	["lsp.allowMutatingActions", flag(onlyOff)],
	["lsp.hook", choice(["edit_write", "agent_end", "off"])],
	["lsp.requestTimeoutMs", integer(1)],
	["lsp.idleShutdownMs", integer(1)],
	["lsp.shareWithChildren", flag(onlyOff)],
	["lsp.sandbox", choice(["off", "auto", "required"])],
	["lsp.servers", { expected: "a table of servers", accepts: isServerTable, tighten: noSay }],
]);

function isServerTable(value: unknown): boolean {
	return isTable(value) && Object.values(value).every((server) => server === false || isServer(server));
}

function isServer(value: unknown): boolean {
	if (!isTable(value)) return false;
	const command = value["command"];
	const lists = ["languages", "extensions", "rootMarkers"].map((name) => value[name]);
	return (
		isTextList(command) && command.length > 0 && lists.every((list) => list === undefined || isTextList(list))
	);
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isTable(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
