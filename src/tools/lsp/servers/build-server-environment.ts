import type { Environment } from "@deputize/ground";
import { pickToolVariables } from "../../../process/pick-tool-variables.ts";

/**
 * What `go list`, which gopls runs, would otherwise compile or start because a project says so. It asks Git for the version
 * of programs, and Git starts what the repository's settings name (Go before 1.18 does neither, and refuses the flag).
 */
const UNTRUSTED = { CGO_ENABLED: "0", GOPACKAGESDRIVER: "off" };
const WITHOUT_GIT = "-buildvcs=false";

/** What a language server gets to see. */
export function buildServerEnvironment(env: Environment, isTrusted: boolean): Record<string, string> {
	// A toolchain line in go.mod would otherwise download a compiler.
	const kept = { ...pickToolVariables(env), GOTOOLCHAIN: "local" };
	const flags = [env["GOFLAGS"], WITHOUT_GIT].filter(Boolean).join(" ");
	return isTrusted ? kept : { ...kept, ...UNTRUSTED, GOFLAGS: flags };
}
