import { afterEach, describe, expect, it } from "vitest";
import { GITHUB_ENDPOINTS, parseGithubPage } from "../../../../../src/tools/web/pages/github-page.ts";
import {
	type RecordedRequest,
	sendHtml,
	sendJson,
	startLoopbackServer,
} from "../../../../helpers/web-server.ts";
import { openWebToolbox, readMarked } from "../../../../helpers/web-tools.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const entry of opened.splice(0).reverse()) await entry.close();
});

describe("parseGithubPage", () => {
	const parse = (path: string) => parseGithubPage(new URL(path, "https://github.com"), GITHUB_ENDPOINTS);

	it.each([
		[
			"/o/r/blob/main/src/a.ts",
			{ kind: "file", rawUrl: "https://raw.githubusercontent.com/o/r/main/src/a.ts" },
		],
		[
			"/o/r/blob/feature/x/a%20b.md#L3",
			{ kind: "file", rawUrl: "https://raw.githubusercontent.com/o/r/feature/x/a%20b.md" },
		],
		["/o/r/raw/v1/bin/x", { kind: "file", rawUrl: "https://raw.githubusercontent.com/o/r/v1/bin/x" }],
		["/o/r", { kind: "repository", repository: "o/r" }],
		["/o/r.git", { kind: "repository", repository: "o/r" }],
		["/o/r/", { kind: "repository", repository: "o/r" }],
		["/o/r/tree/main/docs/api", { kind: "directory", repository: "o/r", ref: "main", path: "docs/api" }],
		["/o/r/issues/12", { kind: "discussion", repository: "o/r", number: "12" }],
		["/o/r/pull/12", { kind: "discussion", repository: "o/r", number: "12" }],
		["/o/r/commit/abcdef0", { kind: "patch", url: "https://github.com/o/r/commit/abcdef0.patch" }],
	])("reads %s", (path, expected) => {
		expect(parse(path)).toEqual(expected);
	});

	it.each([
		"/",
		"/o",
		"/features/actions",
		"/o/r/issues",
		"/o/r/pulls",
		"/o/r/wiki/Home",
		"/o/r/pull/12/files",
		"/o/r/blob/main",
		"/o/r/actions/runs/1",
		"/orgs/o/people",
	])("leaves %s to be read as a page", (path) => {
		expect(parse(path)).toBeUndefined();
	});

	it("leaves other hosts alone", () => {
		expect(parseGithubPage(new URL("https://gitlab.com/o/r"), GITHUB_ENDPOINTS)).toBeUndefined();
	});
});

describe("fetch_content of GitHub", () => {
	async function open(answers: Record<string, (request: RecordedRequest) => unknown>) {
		const server = await startLoopbackServer((request, response) => {
			const answer = answers[request.path]?.(request);
			if (answer === undefined)
				return sendHtml(
					response,
					"<main><p>The page itself, with its furniture.</p></main>",
					request.path.startsWith("/api") ? 403 : 200,
				);
			if (typeof answer === "string") {
				response.setHeader("content-type", "text/plain; charset=utf-8");
				response.end(answer);
			} else sendJson(response, answer);
		});
		const { origin } = server;
		const toolbox = await openWebToolbox(
			{},
			{ githubEndpoints: { web: origin, raw: `${origin}/raw`, api: `${origin}/api` } },
		);
		opened.push(server, toolbox);
		return { server, get: (path: string) => toolbox.call("fetch_content", { url: origin + path }) };
	}

	it("gives a file as it is", async () => {
		const { get } = await open({ "/raw/o/r/main/a.ts": () => "export const a = 1;\n" });
		expect(readMarked(await get("/o/r/blob/main/a.ts"))).toBe("export const a = 1;\n");
	});

	it("gives a repository's facts, files and README", async () => {
		const { server, get } = await open({
			"/api/repos/o/r": () => ({
				description: "A thing",
				default_branch: "trunk",
				language: "C",
				stargazers_count: 7,
			}),
			"/api/repos/o/r/readme": () => "# The thing\n\nIt does things.",
			"/api/repos/o/r/contents/": () => [
				{ path: "src", type: "dir" },
				{ path: "LICENSE", type: "file" },
			],
		});
		const text = readMarked(await get("/o/r"));
		expect(text).toBe(
			"# o/r\n\nA thing\n\nDefault branch: trunk · language: C · stars: 7\n\n## Files\n\n- LICENSE\n- src/\n\n## README\n\n# The thing\n\nIt does things.",
		);
		expect(server.requests.find(({ path }) => path.endsWith("/readme"))?.headers.accept).toBe(
			"application/vnd.github.raw+json",
		);
	});

	it("gives a directory's entries", async () => {
		const { get } = await open({
			"/api/repos/o/r/contents/docs?ref=main": () => [{ path: "docs/a.md", type: "file" }],
		});
		expect(readMarked(await get("/o/r/tree/main/docs"))).toContain("- docs/a.md");
	});

	it("gives an issue with its comments", async () => {
		const { get } = await open({
			"/api/repos/o/r/issues/5": () => ({
				title: "It breaks",
				state: "open",
				body: "Steps…",
				comments: 2,
				user: { login: "ann" },
				created_at: "2026-01-01",
				labels: [{ name: "bug" }],
			}),
			"/api/repos/o/r/issues/5/comments?per_page=100": () => [
				{ user: { login: "bob" }, created_at: "2026-01-02", body: "Same here" },
				{ user: null, created_at: "2026-01-03", body: "Fixed" },
			],
		});
		expect(readMarked(await get("/o/r/issues/5"))).toBe(
			"# It breaks (o/r#5)\n\nIssue by ann · open · 2026-01-01 · labels: bug\n\nSteps…\n\n## bob · 2026-01-02\n\nSame here\n\n## unknown · 2026-01-03\n\nFixed",
		);
	});

	it("reads the page when the interface refuses, and says so", async () => {
		const { get } = await open({});
		const outcome = await get("/o/r/issues/5");
		expect(readMarked(outcome)).toContain("The page itself");
		expect(outcome.text).toContain("GitHub's interface did not answer");
	});
});
