import { expect, it } from "vitest";
import type { ChildPlan } from "../../../src/contract/plan.ts";
import { NOTHING_COLLECTED } from "../../../src/delegation/collect-output.ts";
import { createRedact } from "../../../src/delegation/redact.ts";
import { toResult } from "../../../src/delegation/to-result.ts";

it("says that the session of a run was not kept", () => {
	const redact = createRedact({ env: {}, home: "/home/me", agentDirectory: "/nowhere", depth: 0 });
	const plan = {
		agent: { name: "explorer", source: "builtin" },
		notGranted: [],
		finalize: { mode: "required", maxCorrections: 2 },
	} as unknown as ChildPlan;
	const outcome = {
		collected: NOTHING_COLLECTED,
		verdict: { kind: "success", finalization: { status: "SUCCESS", result: "The answer." } },
		confinement: "tools-only",
		durationMs: 1,
		failedModels: [],
		resumable: false,
		notice: "this run keeps no session",
	} as const;
	const [{ text } = { text: "" }] = toResult(plan, "x", outcome, redact).content;
	expect(text).toContain("The answer.");
	expect(text).toContain("this run keeps no session");
});
