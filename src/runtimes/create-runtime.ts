import type { Surroundings } from "../config/read-surroundings.ts";
import type { RuntimeName } from "../contract/agent.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import { listSearchKeyNames } from "../contract/search-providers.ts";
import { isProgram } from "./can-use-model.ts";
import type { Runtime } from "./runtime.ts";

/** Loaded on demand: a process that uses one runtime never pays for loading the others. */
export async function createRuntime(
	name: RuntimeName,
	{
		surroundings,
		config,
		piPackage,
	}: {
		readonly surroundings: Surroundings;
		readonly config: DeputizeConfig;
		/** Directory of the running pi's package, inside pi. */
		readonly piPackage?: string | undefined;
	},
): Promise<Runtime> {
	if (isProgram(name)) {
		const [{ createProgramRuntime }, { AGENT_PROGRAMS }] = await Promise.all([
			import("./program/create-program-runtime.ts"),
			import("./agent-programs.ts"),
		]);
		return createProgramRuntime(AGENT_PROGRAMS[name], surroundings);
	}
	if (name === "loop") {
		const { createLoopRuntime } = await import("./loop/create-loop-runtime.ts");
		return createLoopRuntime({ ...surroundings, config });
	}
	const { createPiRuntime } = await import("./pi/create-pi-runtime.ts");
	return createPiRuntime({
		...surroundings,
		runningPiPackage: piPackage,
		searchKeyNames: listSearchKeyNames(config.web),
	});
}
