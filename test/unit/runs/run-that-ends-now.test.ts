import { expect, it, vi } from "vitest";
import { createRunIndex } from "../../../src/runs/create-run-index.ts";
import { noteRun, toStart } from "../../helpers/noted-runs.ts";
import { createTestHome } from "../../helpers/test-home.ts";

const world = vi.hoisted((): { onCheck: () => void } => ({ onCheck: () => undefined }));
vi.mock(import("../../../src/process/identify-process.ts"), async (load) => ({
	...(await load()),
	isProcessAlive() {
		world.onCheck();
		return false;
	},
}));

it("does not call a run lost that wrote its end and exited after the journal was read", () => {
	const home = createTestHome();
	try {
		const run = noteRun(home.agentDirectory, toStart("a"));
		const index = createRunIndex(home.agentDirectory);
		world.onCheck = () => {
			world.onCheck = () => undefined;
			run.end();
		};
		index.refresh();
		expect(index.find("a")).toMatchObject({ state: "done" });
	} finally {
		home.remove();
	}
});
