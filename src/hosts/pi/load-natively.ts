import { createRequire } from "node:module";

/**
 * Loads one of our own compiled modules past pi's extension loader, which would transform every file it
 * sees. Works because Node can require ES modules; only for modules that do not import pi's packages.
 */
export function loadNatively<T>(relativePath: string, from: string): T {
	return createRequire(from)(relativePath) as T;
}
