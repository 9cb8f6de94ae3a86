/**
 * Real pages of documentation, as Debian 12 ships them in python3-doc, postgresql-doc-15, git-doc and valgrind.
 * `content` is what a person would call the page's content, decided per site by hand.
 */
const SITES = [
	{
		directory: "/usr/share/doc/python3.11/html/library",
		content: "div.body",
		furniture: "a.headerlink",
		names:
			"json argparse asyncio-task asyncio-stream collections.abc ctypes datetime functions gzip io multiprocessing re stdtypes tarfile urllib.parse",
	},
	{
		directory: "/usr/share/doc/postgresql-doc-15/html",
		content: "body",
		furniture: ".navheader, .navfooter",
		names:
			"functions-string functions-json sql-select sql-createtable sql-syntax tutorial-join datatype-numeric views-overview pgstatstatements event-trigger-example runtime-config-wal geqo-biblio",
	},
	{
		directory: "/usr/share/doc/git-doc",
		content: "body",
		furniture: "#footer",
		names:
			"git-add git-rebase git-merge-base git-diff git-config gitrevisions git-worktree git-fsmonitor--daemon",
	},
	{
		directory: "/usr/share/doc/valgrind/html",
		content: "body",
		furniture: "table.nav",
		names: "lk-manual mc-manual",
	},
];

/** Only for the bench: installing nodejs-doc can remove a Node that does not come from Debian. */
const NODE_SITE = {
	directory: "/usr/share/doc/nodejs/api",
	content: "#apicontent",
	furniture: "a.mark",
	names: "path events url packages util http2",
};

export const REAL_PAGE_PACKAGES = "python3-doc postgresql-doc-15 git-doc valgrind";

export const REAL_PAGES = SITES.flatMap(listPages);

export const BENCH_PAGES = [...SITES, NODE_SITE].flatMap(listPages);

function listPages({ directory, content, furniture, names }: (typeof SITES)[number]) {
	return names.split(" ").map((name) => ({ file: `${directory}/${name}.html`, name, content, furniture }));
}
