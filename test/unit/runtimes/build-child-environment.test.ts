import { describe, expect, it } from "vitest";
import { buildChildEnvironment } from "../../../src/runtimes/build-child-environment.ts";

const ENV = {
	PATH: "/bin",
	HOME: "/h",
	LC_ALL: "C",
	LC_SECRET_TOKEN: "secret",
	XDG_PASSWORD: "secret",
	AWS_SECRET_ACCESS_KEY: "secret",
	GODADDY_API_SECRET: "secret",
	PI_PASSWORD: "secret",
	ANTHROPIC_API_KEY: "a",
	OPENAI_BASE_URL: "http://x",
	PI_OFFLINE: "1",
	PI_SUBAGENT_GRANT: "forged",
	PI_SUBAGENT_DEPTH: "0",
	GITHUB_TOKEN: "secret",
	DATABASE_URL: "secret",
	MY_SEARCH_KEY: "k",
	GONE: undefined,
};
const build = (mayWrite: boolean) =>
	buildChildEnvironment({
		env: ENV,
		mayWrite,
		extraNames: ["MY_SEARCH_KEY"],
		set: { PI_SUBAGENT_CHILD: "1" },
	});

describe("buildChildEnvironment", () => {
	it("gives a readonly child what programs need and what was named, and no other secret", () => {
		expect(Object.keys(build(false)).sort()).toEqual(
			["HOME", "LC_ALL", "MY_SEARCH_KEY", "PATH", "PI_OFFLINE", "PI_SUBAGENT_CHILD"].sort(),
		);
	});

	it("gives a child that may write what the user has", () => {
		expect(build(true)).toMatchObject({ GITHUB_TOKEN: "secret", DATABASE_URL: "secret" });
	});

	it.each([true, false])("never passes on a decision that is not ours (may write: %s)", (mayWrite) => {
		expect(build(mayWrite)).not.toHaveProperty("PI_SUBAGENT_GRANT");
		expect(build(mayWrite)).not.toHaveProperty("PI_SUBAGENT_DEPTH");
	});
});
