import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { forwardDialogs } from "../../../../../src/hosts/pi/child/forward-dialogs.ts";
import { noteRefusals } from "../../../../../src/hosts/pi/child/note-refusals.ts";

/** A pi that gives all listeners of an event one context, as it does. */
function createPi() {
	const listeners = new Map<string, ((event: object, context: object) => unknown)[]>();
	const entries: { readonly type: string; readonly data: Record<string, unknown> }[] = [];
	const pi = {
		on: (name: string, listener: (event: object, context: object) => unknown) =>
			void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
		appendEntry: (type: string, data: Record<string, unknown>) => void entries.push({ type, data }),
	};
	const emit = async (name: string, event: object): Promise<unknown> => {
		const context = {
			get hasUI() {
				return false;
			},
			get ui() {
				return { confirm: async () => false, notify: () => "kept" };
			},
		};
		let last: unknown;
		for (const listener of listeners.get(name) ?? []) last = await listener(event, context);
		return last;
	};
	return { pi: pi as unknown as ExtensionAPI, on: pi.on, emit, entries };
}

const CALL = { toolCallId: "c1", toolName: "bash", input: { command: "rm -rf src" } };

describe("an extension in a child that asks about a call", () => {
	const asking = (
		ask: (context: { hasUI: boolean; ui: Record<string, (...given: unknown[]) => unknown> }) => unknown,
	) => {
		const { pi, on, emit, entries } = createPi();
		const answer = forwardDialogs(pi);
		on("tool_call", (_event, context) => ask(context as never));
		const result = emit("tool_call", CALL);
		return { answer, result, entries };
	};
	const settle = () => new Promise((resolve) => setImmediate(resolve));

	it.each([
		["confirm", ["Sure?", "Really"], true, true],
		["confirm", ["Sure?", "Really"], undefined, false],
		["confirm", ["Sure?", "Really"], "yes", false],
		["select", ["Which?", ["a", "b"]], "b", "b"],
		["select", ["Which?", ["a", "b"]], "c", undefined],
		["input", ["Why?"], "because", "because"],
		["input", ["Why?"], undefined, undefined],
	])("%s(%j) answered with %j is %j", async (kind, given, said, expected) => {
		const { answer, result, entries } = asking((context) => context.ui[kind]?.(...given));
		await settle();
		expect(entries).toMatchObject([
			{ type: "deputize-question", data: { kind, title: given[0], tool: "bash", args: CALL.input } },
		]);
		answer(String(entries[0]?.data["id"]), said);
		expect(await result).toBe(expected);
	});

	it("sees a user interface, and the rest of it as it was", async () => {
		const { result } = asking((context) => [context.hasUI, context.ui["notify"]?.()]);
		expect(await result).toEqual([true, "kept"]);
	});

	it("gets no answer when it no longer waits", async () => {
		const stop = new AbortController();
		const { result } = asking((context) => context.ui["confirm"]?.("Sure?", "", { signal: stop.signal }));
		await settle();
		stop.abort();
		expect(await result).toBe(false);
	});
});

describe("calls that were not made", () => {
	it("are told with the reason; those that failed are not", async () => {
		const { pi, emit, entries } = createPi();
		noteRefusals(pi);
		const result = { content: [{ type: "text", text: "The user said no." }] };
		await emit("tool_call", CALL);
		await emit("tool_execution_end", { ...CALL, isError: true, result });
		await emit("tool_call", { ...CALL, toolCallId: "c2" });
		await emit("tool_result", { toolCallId: "c2" });
		await emit("tool_execution_end", { ...CALL, toolCallId: "c2", isError: true, result });
		expect(entries).toEqual([
			{ type: "deputize-refused", data: { id: "c1", name: "bash", reason: "The user said no." } },
		]);
	});
});
