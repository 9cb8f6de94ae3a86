import { isAboutCode, type TaskWishes } from "./search-terms.ts";

/** How far a match counts, by the kind of its file. */
const FACTORS = {
	source: 1,
	test: 0.3,
	fixture: 0.2,
	document: 0.35,
	changelog: 0.2,
	declaration: 0.5,
	data: 0.5,
	generated: 0.1,
	vendored: 0.25,
	example: 0.5,
	machinery: 0,
} as const;

export type PathKind = keyof typeof FACTORS;

/** Prose and data name things, but use nothing; prose is near every question about its subject. */
export const NOT_CODE: ReadonlySet<PathKind> = new Set([
	"document",
	"changelog",
	"data",
	"generated",
	"machinery",
]);

const RULES: readonly (readonly [PathKind, RegExp])[] = [
	// Copies that a program keeps: of Git, and of what patches changed.
	["machinery", /(^|\/)\.(?:git|pc|hg|svn)\//],
	["vendored", /(^|\/)(node_modules|vendor|third_party|bower_components|site-packages)\//],
	[
		"generated",
		/(\.min\.[cm]?js|\.min\.css|\.map|\.tsbuildinfo|\.snap)$|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|[^/]*\.lock|pnpm-lock\.yaml|go\.sum)$|(^|\/)(coverage|__snapshots__)\//,
	],
	// What the GNU build tools write or copy into a package.
	[
		"generated",
		/(^|\/)(configure|aclocal\.m4|ltmain\.sh|libtool\.m4|lt~?[a-z]*\.m4|config\.(guess|sub|rpath|h\.in)|install-sh|depcomp|missing|mkinstalldirs|ylwrap|test-driver|Makefile\.in)$/,
	],
	["changelog", /(^|\/)(change(log|s)|news|history|releases?)(\.[a-z]+)?$/i],
	["fixture", /(^|\/)(fixtures?|__fixtures__|testdata|__mocks__|golden)\//],
	["document", /\.(md|mdx|markdown|rst|adoc|txt|html?|pod|texi)$|(^|\/)readme[^/]*$/i],
	// Pages of a manual.
	["document", /(^|\/)[\w.+-]+\.[1-8](\.(in|prebuilt|xml))?$/],
	[
		"test",
		/(^|\/)(tests?|__tests__|specs?|e2e|[\w.]+\.tests?)\/|[._-](test|spec)s?\.[a-z]+$|(^|\/)test[_-][^/]+\.\w+$|[_-](unit)?tests?\.\w+$|\.bats$|(^|\/)t\/[^/]+\.t$/i,
	],
	["test", /[a-z0-9](?:Tests?|Spec)\.(?:java|kt|cs|swift|php|scala|groovy)$/],
	// Code in a directory of documentation is no prose: examples, what makes the pages, or a package about documents.
	[
		"example",
		/(^|\/)(docs?|documentation)\/.*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift)$/i,
	],
	["document", /(^|\/)(docs?|documentation)\/|(^|\/)(license|licence|contributing|authors|notice)[^/]*$/i],
	["example", /(^|\/)(examples?|samples?|demos?|bench(marks?)?|playground)\//i],
	["declaration", /\.d\.[cm]?ts$|\.pyi$/],
	[
		"data",
		/\.(json|jsonc|json5|jsonl|ya?ml|toml|ini|csv|tsv|xml|svg|lock|css|scss|patch|diff|po|pot|in|am|ac|m4)$/,
	],
	// How a package of Debian is built: not what it does.
	["data", /(^|\/)debian\/(?!.*\.(py|sh|pl|c)$)/],
];

/** Output of a build: less readable than what it was built from, but often all there is. */
const BUILT = /(^|\/)(dist|build|out|target)\//;
/** Many modules in one file: everything matches there, and nothing was written there. */
const BUNDLED =
	/(^|\/)(bundles?|umd|browser|iife)\/|(^|\/)(chunk|bundle)[-._][^/]*$|\.(browser|umd|bundle|iife)\./;

/** The task names the kind of file it wants. Tests are asked for on purpose; "documentation" may be what code is about. */
const WISHED_FACTOR = 1.2;
const NOT_WISHED_FACTOR = 0.4;

export function classifyPath(path: string): PathKind {
	return RULES.find(([, pattern]) => pattern.test(path))?.[0] ?? "source";
}

/** How far a match in this file counts, given what the task asks for. */
export function weighPath(path: string, wishes: TaskWishes): number {
	const kind = classifyPath(path);
	const built = BUNDLED.test(path) ? 0.45 : BUILT.test(path) ? 0.85 : 1;
	const wished = isWished(kind, wishes) ? WISHED_FACTOR : FACTORS[kind];
	return built * wished * (isAboutCode(wishes) || isWished(kind, wishes) ? 1 : NOT_WISHED_FACTOR);
}

function isWished(kind: PathKind, wishes: TaskWishes): boolean {
	if (kind === "test") return wishes.tests;
	if (kind === "document") return wishes.documents || wishes.documentsOnly;
	if (kind === "example") return wishes.examples || (wishes.documents && !wishes.documentsOnly);
	if (kind === "changelog") return wishes.changelog;
	return kind === "declaration" && wishes.types;
}
