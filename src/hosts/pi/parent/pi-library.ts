/**
 * The values of pi that the parent uses. They come as a parameter because a module that Node loads itself
 * cannot import pi: the package is not installed beside ours, only pi's own loader knows where it is.
 */
export type PiLibrary = Pick<
	typeof import("@earendil-works/pi-coding-agent"),
	| "DefaultPackageManager"
	| "SettingsManager"
	| "VERSION"
	| "getMarkdownTheme"
	| "getPackageDir"
	| "hasTrustRequiringProjectResources"
	| "keyHint"
	| "withFileMutationQueue"
> &
	Pick<
		typeof import("@earendil-works/pi-tui"),
		"Markdown" | "matchesKey" | "truncateToWidth" | "visibleWidth" | "wrapTextWithAnsi"
	>;
