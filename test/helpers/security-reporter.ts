import type { Reporter, TestModule, Vitest } from "vitest/node";
import { findSilence, listSecurityFiles, type RanFile, readSecurityList } from "./security-list.ts";
import { hasSkipReason } from "./skip-reasons.ts";

/** Says of each file of attacks that it ran, and fails the run when one did not: a moved file must not look like a pass. */
export default class SecurityReporter implements Reporter {
	#vitest: Vitest | undefined;

	onInit(vitest: Vitest): void {
		this.#vitest = vitest;
	}

	onTestRunEnd(modules: readonly TestModule[]): void {
		const { config } = this.#vitest ?? {};
		const ran = modules.filter(({ project }) => project.name === "security").map(toRanFile);
		if (ran.length === 0 || config?.testNamePattern !== undefined) return;
		// With file names on the command line only those are expected.
		const isWhole = !hasFileNames(process.argv.slice(2)) && config?.shard === undefined;
		const listed = readSecurityList().map(({ file }) => file);
		const expected = listed.filter((file) => file.startsWith("test/security/"));
		const silence = findSilence(ran, isWhole ? [...new Set([...expected, ...listSecurityFiles()])] : []);
		const lines = ran.map(({ file, passed }) => `  ${String(passed).padStart(4)}  ${file}`);
		process.stdout.write(
			["", "Attacks that ran:", ...lines, ...silence.map((line) => `  FAILED: ${line}`), ""].join("\n"),
		);
		if (silence.length > 0) process.exitCode = 1;
	}
}

function hasFileNames(args: readonly string[]): boolean {
	const isValue = (index: number): boolean => /^--?\w[\w.-]*$/.test(args[index - 1] ?? "");
	return args.some((argument, index) => !argument.startsWith("-") && argument !== "run" && !isValue(index));
}

function toRanFile(module: TestModule): RanFile {
	const file = module.relativeModuleId;
	const skipped = [...module.children.allTests("skipped")].map(({ fullName }) => fullName);
	return {
		file,
		passed: [...module.children.allTests("passed")].length,
		unexplained: skipped.filter((name) => !hasSkipReason({ file, name })),
	};
}
