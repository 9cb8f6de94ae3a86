import type { Reporter, TestModule, Vitest } from "vitest/node";
import { renderSkips } from "./skip-reasons.ts";

/** Closes a run with a table of what was skipped and why: a green run that left something out must not look whole. */
export default class SkipReporter implements Reporter {
	#vitest: Vitest | undefined;

	onInit(vitest: Vitest): void {
		this.#vitest = vitest;
	}

	onTestRunEnd(modules: readonly TestModule[]): void {
		// With -t everything else counts as skipped.
		if (this.#vitest === undefined || this.#vitest.config.testNamePattern !== undefined) return;
		const skipped = modules.flatMap((module) =>
			[...module.children.allTests("skipped")].map((test) => {
				const result = test.result();
				return {
					file: module.relativeModuleId,
					name: test.fullName,
					note: result.state === "skipped" ? result.note : undefined,
				};
			}),
		);
		process.stdout.write(`\n${renderSkips(skipped)}`);
	}
}
