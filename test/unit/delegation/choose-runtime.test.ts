import { describe, expect, it } from "vitest";
import { chooseRuntime } from "../../../src/delegation/choose-runtime.ts";

const missing = () => false;
const wishes = { env: {}, cwd: "/" };

describe("the runtime of an agent", () => {
	it("is pi where pi is installed", () => {
		expect(chooseRuntime({}, wishes, () => true)).toEqual({ name: "pi" });
	});

	it("is the one that was asked for, else the agent's, installed or not", () => {
		expect(chooseRuntime({ runtime: "pi" }, wishes, missing)).toEqual({ name: "pi" });
		expect(chooseRuntime({ runtime: "pi" }, { ...wishes, requested: "loop" }, missing)).toEqual({
			name: "loop",
		});
	});

	it("is our own program where pi is missing, and says so", () => {
		expect(chooseRuntime({}, wishes, missing)).toEqual({
			name: "loop",
			notice: expect.stringContaining("pi was not found"),
		});
	});

	it("stays pi when somebody named a pi, or when our own program has no such model", () => {
		const named = { ...wishes, env: { PI_SUBAGENT_PI_BINARY: "/opt/pi" } };
		expect(chooseRuntime({}, named, missing)).toEqual({ name: "pi" });
		expect(chooseRuntime({ model: "nobody/knows-it" }, wishes, missing)).toEqual({ name: "pi" });
		expect(chooseRuntime({}, { ...wishes, piPackage: "/pi" }, missing)).toEqual({ name: "pi" });
	});
});
