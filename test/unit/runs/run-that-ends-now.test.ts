import { afterEach, expect, it, vi } from "vitest";
import { noteRun, toStart } from "../../helpers/noted-runs.ts";
import { createTestHome } from "../../helpers/test-home.ts";

// Other test files have loaded these modules in this process already, and others will.
afterEach(() => {
	vi.doUnmock("../../../src/process/identify-process.ts");
	vi.resetModules();
});

it("does not call a run lost that wrote its end and exited after the journal was read", async () => {
	const onCheck = vi.fn();
	vi.resetModules();
	vi.doMock(import("../../../src/process/identify-process.ts"), async (load) => ({
		...(await load()),
		isProcessAlive() {
			onCheck();
			return false;
		},
	}));
	const { createRunIndex } = await import("../../../src/runs/create-run-index.ts");
	const home = createTestHome();
	try {
		const run = noteRun(home.agentDirectory, toStart("a"));
		const index = createRunIndex(home.agentDirectory);
		onCheck.mockImplementationOnce(() => run.end());
		index.refresh();
		expect(onCheck).toHaveBeenCalled();
		expect(index.find("a")).toMatchObject({ state: "done" });
	} finally {
		home.remove();
	}
});
