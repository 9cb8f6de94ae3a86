import { createRequire } from "node:module";
import {
	DefaultPackageManager,
	type ExtensionAPI,
	getAgentDir,
	getMarkdownTheme,
	getPackageDir,
	keyHint,
	SettingsManager,
	withFileMutationQueue,
} from "@earendil-works/pi-coding-agent";
import {
	Markdown,
	matchesKey,
	truncateToWidth,
	visibleWidth,
	wrapTextWithAnsi,
} from "@earendil-works/pi-tui";

/**
 * What pi loads in the parent. It is the only file of the parent that pi's loader transforms, and the only
 * one that imports pi: everything else is loaded by Node itself and is handed what it needs of pi.
 */
export default async function extension(pi: ExtensionAPI): Promise<void> {
	// An installed package is loaded in every pi, also in a child that was started without our flags.
	if (process.env["PI_SUBAGENT_CHILD"] === "1") return;
	const suffix = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
	const parent = createRequire(import.meta.url)(
		`./parent/open-parent${suffix}`,
	) as typeof import("./parent/open-parent.ts");
	await parent.openParent(pi, {
		DefaultPackageManager,
		SettingsManager,
		Markdown,
		getAgentDir,
		getMarkdownTheme,
		getPackageDir,
		keyHint,
		matchesKey,
		truncateToWidth,
		visibleWidth,
		withFileMutationQueue,
		wrapTextWithAnsi,
	});
}
