import type { Environment } from "@deputize/ground";
import { pickToolVariables } from "../../../process/pick-tool-variables.ts";

/** What `go list`, which gopls runs, would otherwise compile or start because a project says so. */
const UNTRUSTED = { CGO_ENABLED: "0", GOPACKAGESDRIVER: "off" };

/** What a language server gets to see. */
export function buildServerEnvironment(env: Environment, isTrusted: boolean): Record<string, string> {
	// A toolchain line in go.mod would otherwise download a compiler.
	return { ...pickToolVariables(env), GOTOOLCHAIN: "local", ...(isTrusted ? {} : UNTRUSTED) };
}
