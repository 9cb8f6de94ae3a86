import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");
const DOCS = join(ROOT, "docs");

/** Files of the repository that the site shows as pages of its own, under this name. */
export const REPOSITORY_PAGES: Readonly<Record<string, string>> = {
	"SECURITY.md": "security-policy",
	"CHANGELOG.md": "changelog",
	"CONTRIBUTING.md": "contributing",
	"AGENTS.md": "map",
};

/**
 * Where a link of a Markdown file leads on the site: other pages stay as they are, files of the repository that are pages here become
 * those, and everything else in the repository is shown where the repository is. Undefined: there is nothing to link to.
 */
export function toSiteLink(href: string, file: string, repository: string | undefined): string | undefined {
	if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
	const [path = "", anchor] = href.split("#");
	const target = resolve(dirname(file), path);
	const hash = anchor === undefined ? "" : `#${anchor}`;
	const inDocs = relative(DOCS, target);
	if (!inDocs.startsWith("..")) return `/${inDocs}${hash}`;
	const inRepository = relative(ROOT, target);
	const page = REPOSITORY_PAGES[inRepository];
	if (page !== undefined) return `/${page}${hash}`;
	return repository === undefined ? undefined : `${repository}/blob/main/${inRepository}${hash}`;
}
