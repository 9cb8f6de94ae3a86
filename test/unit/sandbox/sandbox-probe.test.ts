import { expect, it } from "vitest";
import { parseSandboxProbe } from "../../../src/sandbox/sandbox-probe.ts";

const SANDBOX = {
	mechanism: "bubblewrap",
	program: "/usr/bin/bwrap",
	hasSizes: true,
	hasFilter: true,
	nests: true,
	hasNobody: true,
	layers: { how: "outside", reason: "" },
};
const NOTE = { works: true, reason: "it does", sandbox: SANDBOX };

it.each<[string, unknown, unknown]>([
	["one that works", NOTE, NOTE],
	[
		"one that does not",
		{ works: false, reason: "not on PATH", sandbox: SANDBOX },
		{ works: false, reason: "not on PATH" },
	],
	[
		"one that can do less than a later version asks",
		{ ...NOTE, sandbox: { mechanism: "bubblewrap", program: "/usr/bin/bwrap" } },
		{ ...NOTE, sandbox: { ...SANDBOX, hasSizes: false, hasFilter: false, nests: false, hasNobody: false } },
	],
	[
		"one that says something else than yes",
		{ ...NOTE, sandbox: { ...SANDBOX, hasSizes: "yes", hasFilter: 1, nests: {}, hasNobody: "true" } },
		{ ...NOTE, sandbox: { ...SANDBOX, hasSizes: false, hasFilter: false, nests: false, hasNobody: false } },
	],
	["none without a verdict", { reason: "it does", sandbox: SANDBOX }, undefined],
	["none that says yes in words", { ...NOTE, works: "true" }, undefined],
	["none without a program", { ...NOTE, sandbox: { ...SANDBOX, program: "" } }, undefined],
	["none without a mechanism", { ...NOTE, sandbox: { ...SANDBOX, mechanism: undefined } }, undefined],
	["none without a sandbox", { works: true, reason: "it does" }, undefined],
	["nothing at all", undefined, undefined],
])("a note of a probe is read as %s", (_name, note, probe) => {
	expect(parseSandboxProbe(note)).toEqual(probe);
});
