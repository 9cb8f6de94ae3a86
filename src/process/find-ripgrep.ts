import { createRequire } from "node:module";
import type { Environment } from "@deputize/ground";
import { findExecutable } from "./find-executable.ts";

/** The user's own ripgrep, else the one that came with this package. Undefined on an unsupported platform. */
export function findRipgrep(env: Environment): string | undefined {
	return findExecutable("rg", env) ?? findShippedRipgrep();
}

export function findShippedRipgrep(): string | undefined {
	const binary = process.platform === "win32" ? "rg.exe" : "rg";
	try {
		// From the package that depends on it, because a strict package manager does not hoist it to us.
		const require = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));
		return require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${binary}`);
	} catch {
		return undefined;
	}
}
