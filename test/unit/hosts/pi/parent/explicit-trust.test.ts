import { describe, expect, it } from "vitest";
import { watchExplicitTrust } from "../../../../../src/hosts/pi/parent/explicit-trust.ts";

type Library = Parameters<typeof watchExplicitTrust>[1];
type Handler = (event: { reason: string }, context: { cwd: string; isProjectTrusted(): boolean }) => void;

interface Session {
	readonly hasResources: boolean;
	readonly isTrusted: boolean;
	readonly argv?: readonly string[];
	readonly reasons?: readonly string[];
	readonly isOldPi?: boolean;
}

function read({
	hasResources,
	isTrusted,
	argv = ["pi"],
	reasons = ["startup"],
	isOldPi = false,
}: Session): boolean | undefined {
	const handlers: Handler[] = [];
	const pi = { on: (_event: string, handler: Handler) => handlers.push(handler) };
	const library: Library = isOldPi ? {} : { hasTrustRequiringProjectResources: () => hasResources };
	const readTrust = watchExplicitTrust(pi as never, library, argv);
	expect(readTrust()).toBeUndefined();
	for (const reason of reasons) {
		for (const handler of handlers)
			handler({ reason }, { cwd: "/project", isProjectTrusted: () => isTrusted });
	}
	return readTrust();
}

// Review of 5305cef, C1: pi's "trusted" for a project without settings of its own counted as a decision.
describe("a project counts as trusted in this session", () => {
	it.each<[string, Session, boolean | undefined]>([
		["when pi had something to ask about", { hasResources: true, isTrusted: true }, true],
		["when the flag was given", { hasResources: false, isTrusted: true, argv: ["pi", "--approve"] }, true],
		["when the short flag was given", { hasResources: false, isTrusted: true, argv: ["pi", "-a"] }, true],
		["not when there was nothing to ask about", { hasResources: false, isTrusted: true }, undefined],
		["not by what appears later", { hasResources: true, isTrusted: true, reasons: ["reload"] }, undefined],
		["not when pi cannot say", { hasResources: true, isTrusted: true, isOldPi: true }, undefined],
		["not when pi says no", { hasResources: true, isTrusted: false }, false],
		["not when pi says no to the flag", { hasResources: true, isTrusted: false, argv: ["pi", "-a"] }, false],
		["still after a reload", { hasResources: true, isTrusted: true, reasons: ["startup", "reload"] }, true],
	])("%s", (_name, session, expected) => {
		expect(read(session)).toBe(expected);
	});
});
