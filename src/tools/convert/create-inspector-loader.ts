import type { LoadInspector } from "@deputize/documents";
import { loadPackage } from "../../parts/load-package.ts";

/** `modules` is where the part `documents` is, and empty if there is none: a converter process may not look around. */
export function createInspectorLoader(modules: string): LoadInspector {
	return () => {
		if (modules === "") return undefined;
		try {
			return loadPackage<ReturnType<LoadInspector>>({ modules }, "@firecrawl/pdf-inspector");
		} catch {
			// No binary for this platform, or one that does not load here: the other engine reads the file.
			return undefined;
		}
	};
}
