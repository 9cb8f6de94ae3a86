// Links of a Markdown file, for readers who have only the package: on npm, or below node_modules.
import { posix } from "node:path";

const LINK = /(!?)(\[(?:[^[\]\\]|\\.)*\])\((?![a-z][a-z+.-]*:|#|\/)([^)\s#]*)(#[^)\s]*)?\)/gi;
/** A picture that is a link: the inner brackets are part of its text. */
const LINKED_PICTURE = /(\[!\[[^\]]*\]\([^)]*\)\])\((?![a-z][a-z+.-]*:|#|\/)([^)\s#]+)(#[^)\s]*)?\)/gi;

/**
 * Links to files that are not in the package lead to the repository, at the version of the package; all others stay. `page` is the
 * path of the file, `isPacked` says whether a path of the repository is in the package.
 */
export function linkPage(text, { page, isPacked, repository, version }) {
	const leadOut = (target, hash, kind) => {
		const path = posix.join(posix.dirname(page), target);
		return isPacked(path) ? undefined : `${repository}/${kind}/v${version}/${path}${hash ?? ""}`;
	};
	return text
		.replaceAll(LINKED_PICTURE, (whole, picture, target, hash) => {
			const address = leadOut(target, hash, "blob");
			return address === undefined ? whole : `${picture}(${address})`;
		})
		.replaceAll(LINK, (whole, mark, label, target, hash) => {
			const address = target === "" ? undefined : leadOut(target, hash, mark === "!" ? "raw" : "blob");
			return address === undefined ? whole : `${mark}${label}(${address})`;
		});
}

/** The address for people, from what `repository.url` in package.json has for Git. */
export function toRepositoryAddress({ repository }) {
	return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
