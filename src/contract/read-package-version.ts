import { readFileSync } from "node:fs";
import { locatePackageFile } from "../entry-points.ts";

export function readPackageVersion(): string {
	const manifest = JSON.parse(readFileSync(locatePackageFile("package.json"), "utf8")) as { version: string };
	return manifest.version;
}
