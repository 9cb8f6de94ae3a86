import { expect, it } from "vitest";
import { buildServerEnvironment } from "../../../../../src/tools/lsp/servers/build-server-environment.ts";

it("gives a server what it needs to find programs and none of the keys", () => {
	const kept = buildServerEnvironment({
		PATH: "/bin",
		HOME: "/home/u",
		LC_ALL: "C",
		GOPATH: "/go",
		XDG_CACHE_HOME: "/c",
		ANTHROPIC_API_KEY: "secret",
		GOOGLE_API_KEY: "secret",
		GITHUB_TOKEN: "secret",
		NODE_OPTIONS: "--require ./evil.js",
		EMPTY: undefined,
	});
	expect(kept).toEqual({
		PATH: "/bin",
		HOME: "/home/u",
		LC_ALL: "C",
		GOPATH: "/go",
		XDG_CACHE_HOME: "/c",
		GOTOOLCHAIN: "local",
	});
});
