export interface GithubEndpoints {
	readonly web: string;
	readonly raw: string;
	readonly api: string;
}

export const GITHUB_ENDPOINTS: GithubEndpoints = {
	web: "https://github.com",
	raw: "https://raw.githubusercontent.com",
	api: "https://api.github.com",
};

export type GithubPage =
	| { readonly kind: "file"; readonly rawUrl: string }
	| { readonly kind: "patch"; readonly url: string }
	| { readonly kind: "directory"; readonly repository: string; readonly path: string; readonly ref: string }
	| { readonly kind: "repository"; readonly repository: string }
	| { readonly kind: "discussion"; readonly repository: string; readonly number: string };

const NAME = /^[\w.-]{1,100}$/;
/** First path segments that are pages of the site and not owners. */
const SITE_PAGES = new Set(
	"about blog collections contact customer-stories enterprise events explore features issues join login marketplace new notifications orgs organizations pricing pulls readme search security settings sponsors stars team topics trending users".split(
		" ",
	),
);

/** Which content a GitHub page shows; undefined for pages that are best read as they are. */
export function parseGithubPage(url: URL, endpoints: GithubEndpoints): GithubPage | undefined {
	const site = new URL(endpoints.web);
	if (url.host !== site.host && url.host !== `www.${site.host}`) return undefined;
	const [owner, repositoryName, section, ...rest] = url.pathname.split("/").filter((part) => part !== "");
	if (!owner || !repositoryName || !NAME.test(owner) || !NAME.test(repositoryName)) return undefined;
	if (SITE_PAGES.has(owner)) return undefined;
	const repository = `${owner}/${repositoryName.replace(/\.git$/, "")}`;
	if (section === undefined) return { kind: "repository", repository };
	return parseSection(repository, section, rest, url, endpoints);
}

function parseSection(
	repository: string,
	section: string,
	rest: readonly string[],
	url: URL,
	endpoints: GithubEndpoints,
): GithubPage | undefined {
	const [first] = rest;
	if (first === undefined) return undefined;
	if (section === "blob" || section === "raw" || section === "blame") {
		if (rest.length < 2) return undefined;
		// A branch may have slashes in its name; the raw host takes branch and path in one, just as the page does.
		return { kind: "file", rawUrl: `${endpoints.raw}/${repository}/${rest.join("/")}` };
	}
	if (section === "tree")
		return { kind: "directory", repository, ref: decodeURIComponent(first), path: rest.slice(1).join("/") };
	if ((section === "issues" || section === "pull") && /^\d{1,9}$/.test(first) && rest.length === 1)
		return { kind: "discussion", repository, number: first };
	if (section === "commit" && /^[0-9a-f]{7,40}$/.test(first) && rest.length === 1)
		return { kind: "patch", url: `${url.origin}/${repository}/commit/${first}.patch` };
	return undefined;
}
