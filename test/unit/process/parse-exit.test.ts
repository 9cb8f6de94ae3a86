import { expect, it } from "vitest";
import { parseExit } from "../../../src/process/parse-exit.ts";

it.each([
	[
		{ exitCode: 0, signal: null },
		{ exitCode: 0, signal: null },
	],
	[
		{ exitCode: 1, signal: null },
		{ exitCode: 1, signal: null },
	],
	[
		{ exitCode: 143, signal: null },
		{ exitCode: 143, signal: null },
	],
	[
		{ exitCode: null, signal: "SIGSEGV" },
		{ exitCode: null, signal: "SIGSEGV" },
	],
	[
		{ exitCode: 139, signal: null },
		{ exitCode: null, signal: "SIGSEGV" },
	],
	[
		{ exitCode: 137, signal: null },
		{ exitCode: null, signal: "SIGKILL" },
	],
	[
		{ exitCode: null, signal: null },
		{ exitCode: null, signal: null },
	],
])("a wrapper's report %o means %o", (reported, meant) => {
	expect(parseExit(reported)).toEqual(meant);
});
