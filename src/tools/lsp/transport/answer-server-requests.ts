import { isObject } from "@deputize/ground";
import type { ServerConnection } from "./open-connection.ts";

/** Capabilities a server adds after it started, by method; several registrations of one method are normal. */
export interface Registrations {
	readonly optionsOf: (method: string) => readonly unknown[];
	readonly add: (id: string, method: string, options: unknown) => void;
	readonly remove: (id: string) => void;
	readonly onChange: (listener: () => void) => () => void;
}

const MAX_REGISTRATIONS = 500;

export function createRegistrations(): Registrations {
	const byId = new Map<string, { readonly method: string; readonly options: unknown }>();
	const listeners = new Set<() => void>();
	const announce = () => {
		for (const listener of listeners) listener();
	};
	return {
		optionsOf: (method) =>
			[...byId.values()].filter((entry) => entry.method === method).map(({ options }) => options),
		add: (id, method, options) => {
			if (byId.size >= MAX_REGISTRATIONS && !byId.has(id)) return;
			byId.set(id, { method, options });
			announce();
		},
		remove: (id) => {
			byId.delete(id);
			announce();
		},
		onChange: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

/**
 * Servers wait for these answers: one left open can stop a server for good. A request without a handler here
 * gets the library's "method not found".
 */
export function answerServerRequests(
	connection: ServerConnection,
	registrations: Registrations,
	settings: Readonly<Record<string, unknown>>,
	workspaceFolder: { readonly uri: string; readonly name: string },
): void {
	connection.onRequest("workspace/configuration", (params) => readConfiguration(params, settings));
	connection.onRequest("client/registerCapability", (params) => {
		for (const entry of listOf(params, "registrations")) {
			if (typeof entry["id"] !== "string" || typeof entry["method"] !== "string") continue;
			registrations.add(entry["id"], entry["method"], entry["registerOptions"]);
		}
		return null;
	});
	connection.onRequest("client/unregisterCapability", (params) => {
		// The protocol itself misspells the field.
		for (const entry of listOf(params, "unregisterations")) {
			if (typeof entry["id"] === "string") registrations.remove(entry["id"]);
		}
		return null;
	});
	connection.onRequest("window/workDoneProgress/create", () => null);
	connection.onRequest("workspace/workspaceFolders", () => [workspaceFolder]);
	connection.onRequest("workspace/diagnostic/refresh", () => null);
	connection.onRequest("workspace/semanticTokens/refresh", () => null);
	connection.onRequest("workspace/inlayHint/refresh", () => null);
	connection.onRequest("workspace/codeLens/refresh", () => null);
	connection.onRequest("window/showMessageRequest", () => null);
	connection.onRequest("window/showDocument", () => ({ success: false }));
	// Edits are returned to the caller and never applied because a server asked.
	connection.onRequest("workspace/applyEdit", () => ({
		applied: false,
		failureReason: "this client does not apply edits on request",
	}));
}

function listOf(params: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
	const list = isObject(params) ? params[key] : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** One answer per item, `null` where nothing is known: a shorter list crashes some servers. */
function readConfiguration(params: unknown, settings: Readonly<Record<string, unknown>>): readonly unknown[] {
	return listOf(params, "items").map((item) => {
		const section = item["section"];
		if (typeof section !== "string" || section === "") return settings;
		return readSettingsSection(settings, section) ?? null;
	});
}

function readSettingsSection(settings: Readonly<Record<string, unknown>>, section: string): unknown {
	if (section in settings) return settings[section];
	const [head, ...rest] = section.split(".");
	const inner = head === undefined ? undefined : settings[head];
	if (rest.length > 0 && isObject(inner)) return readSettingsSection(inner, rest.join("."));
	// Asked for `python`, configured as `python.analysis`.
	const prefix = `${section}.`;
	const parts = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
	if (parts.length === 0) return undefined;
	return Object.fromEntries(parts.map(([key, value]) => [key.slice(prefix.length), value]));
}
