import { describe, expect, it } from "vitest";
import { buildServerEnvironment } from "../../../../../src/tools/lsp/servers/build-server-environment.ts";

describe("the environment of a language server", () => {
	it("has what it needs to find programs and none of the keys", () => {
		const kept = buildServerEnvironment(
			{
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
			},
			true,
		);
		expect(kept).toEqual({
			PATH: "/bin",
			HOME: "/home/u",
			LC_ALL: "C",
			GOPATH: "/go",
			XDG_CACHE_HOME: "/c",
			GOTOOLCHAIN: "local",
		});
	});

	// Review of 5305cef, H3: the prefix GO passed two of these.
	it.each([
		"GODADDY_API_SECRET",
		"GOCARDLESS_ACCESS_TOKEN",
		"GOPROXY",
		"GOAUTH",
		"LC_SECRET",
		"XDG_SESSION_TOKEN",
		"XDG_RUNTIME_DIR",
		"SSH_AUTH_SOCK",
		"GOPACKAGESDRIVER",
	])("does not have %s", (name) => {
		expect(buildServerEnvironment({ [name]: "secret" }, true)).toEqual({ GOTOOLCHAIN: "local" });
	});

	it("keeps gopls from compiling, from drivers of the project and from its Git when it is not trusted", () => {
		const untrusted = { GOTOOLCHAIN: "local", CGO_ENABLED: "0", GOPACKAGESDRIVER: "off" };
		expect(buildServerEnvironment({ CGO_ENABLED: "1" }, false)).toEqual({
			...untrusted,
			GOFLAGS: "-buildvcs=false",
		});
		expect(buildServerEnvironment({ GOFLAGS: "-mod=vendor" }, false)).toEqual({
			...untrusted,
			GOFLAGS: "-mod=vendor -buildvcs=false",
		});
	});
});
