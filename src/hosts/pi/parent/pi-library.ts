import type {
	DefaultPackageManager,
	getMarkdownTheme,
	getPackageDir,
	keyHint,
	SettingsManager,
	withFileMutationQueue,
} from "@earendil-works/pi-coding-agent";
import type {
	Markdown,
	matchesKey,
	truncateToWidth,
	visibleWidth,
	wrapTextWithAnsi,
} from "@earendil-works/pi-tui";

/**
 * The values of pi that the parent uses. They come as a parameter because a module that Node loads itself
 * cannot import pi: the package is not installed beside ours, only pi's own loader knows where it is.
 */
export interface PiLibrary {
	readonly DefaultPackageManager: typeof DefaultPackageManager;
	readonly SettingsManager: typeof SettingsManager;
	readonly Markdown: typeof Markdown;
	readonly getMarkdownTheme: typeof getMarkdownTheme;
	readonly getPackageDir: typeof getPackageDir;
	readonly keyHint: typeof keyHint;
	readonly matchesKey: typeof matchesKey;
	readonly truncateToWidth: typeof truncateToWidth;
	readonly visibleWidth: typeof visibleWidth;
	readonly withFileMutationQueue: typeof withFileMutationQueue;
	readonly wrapTextWithAnsi: typeof wrapTextWithAnsi;
}
