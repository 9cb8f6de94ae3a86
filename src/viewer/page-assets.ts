import { readFileSync } from "node:fs";
import { locatePackageFile } from "../entry-points.ts";

/** The page: bundled from `page/`, without anything from elsewhere. */
export interface PageAssets {
	readonly script: string;
	readonly style: string;
}

export function readPageAssets(): PageAssets {
	return {
		script: readFileSync(locatePackageFile("dist/view-page.js"), "utf8"),
		style: readFileSync(locatePackageFile("dist/view-page.css"), "utf8"),
	};
}
