import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A repository with one committed file `a.js`, and a program that leaves a mark when it runs. */
export interface TrapPlace {
	readonly root: string;
	readonly tree: string;
	/** A command that leaves the mark and copies its input. */
	readonly canary: string;
	git(...args: string[]): string;
	write(path: string, text: string): void;
	/** Adds to the repository's own settings. */
	configure(text: string): void;
}

export interface Trap {
	readonly name: string;
	arm(place: TrapPlace): void;
	/** Where the user works, below the tree. */
	readonly cwd?: string;
	/** What an ordinary Git is asked for to show that the program would run. */
	readonly control: (place: TrapPlace) => void;
	/** A refusal is an answer too; otherwise the change in `a.js` is reported. */
	readonly refuses?: RegExp;
	/** What the user's PATH begins with. */
	readonly path?: string;
}

export function createTrapPlace(root: string): TrapPlace {
	const tree = join(root, "tree");
	const canary = join(root, "canary");
	mkdirSync(tree, { recursive: true });
	writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> ${join(root, "ran")}\nexec timeout 2 cat\n`);
	chmodSync(canary, 0o755);
	const place: TrapPlace = {
		root,
		tree,
		canary,
		git: (...args) => plainGit(place, tree, args),
		write(path, text) {
			mkdirSync(join(tree, path, ".."), { recursive: true });
			writeFileSync(join(tree, path), text);
		},
		configure: (text) => appendFileSync(join(tree, ".git/config"), text),
	};
	place.git("init", "-q", "-b", "main");
	place.write("a.js", "function bake() {}\n");
	place.git("add", ".");
	place.git("commit", "-qm", "Bread is baked");
	return place;
}

/** As a user's own Git, with nothing kept from it. A failure is not ours to judge: the mark says whether the program ran. */
function plainGit({ root }: TrapPlace, cwd: string, args: readonly string[], input = ""): string {
	try {
		return execFileSync(
			"git",
			["-c", "user.name=Ada", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args],
			{
				cwd,
				input,
				env: { PATH: process.env["PATH"], HOME: root, GIT_TERMINAL_PROMPT: "0" },
				stdio: ["pipe", "pipe", "pipe"],
				encoding: "utf8",
			},
		).trim();
	} catch {
		return "";
	}
}

const diff = (place: TrapPlace): void => void place.git("diff", "HEAD");
const CHANGED = "function bake() { changed(); }\n";

const filter = (name: string, canary: string): string =>
	`[filter "${name}"]\n\tclean = ${canary}\n\tsmudge = ${canary}\n\tprocess = ${canary}\n\trequired = true\n`;

/** A commit whose signature somebody would have to check. */
function commitSigned(place: TrapPlace): void {
	place.write("a.js", "function bake() {}\nfunction knead() {}\n");
	place.git("add", ".");
	place.git("commit", "-qm", "Signed");
	const [header = "", ...message] = place.git("cat-file", "commit", "HEAD").split("\n\n");
	const signature =
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----";
	const file = join(place.root, "commit");
	writeFileSync(file, `${header}\n${signature}\n\n${message.join("\n\n")}\n`);
	place.git("update-ref", "HEAD", place.git("hash-object", "-t", "commit", "-w", file));
	place.write("a.js", CHANGED);
}

/** A partial clone: Git fetches a missing object from wherever the settings say. */
function losePart(place: TrapPlace, url: string, more: string): void {
	const blob = place.git("rev-parse", "HEAD:a.js");
	place.configure(
		`[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${url}\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n${more}`,
	);
	rmSync(join(place.tree, ".git/objects", blob.slice(0, 2), blob.slice(2)));
	place.write("a.js", CHANGED);
}
const readLost = (place: TrapPlace): void => void place.git("cat-file", "-p", "HEAD:a.js");

export const GIT_TRAPS: readonly Trap[] = [
	{
		name: "a filter",
		arm(place) {
			place.write(".git/info/attributes", "* filter=evil\n");
			place.configure(filter("evil", place.canary));
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "a filter whose name contains =",
		arm(place) {
			place.write(".git/info/attributes", "* filter=a=b\n");
			place.configure(filter("a=b", place.canary));
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "a filter after more than a megabyte of settings",
		arm(place) {
			place.write(".git/info/attributes", "* filter=evil\n");
			const long = Array.from({ length: 24_000 }, (_, at) => `\tk${at}${"x".repeat(40)} = 1\n`).join("");
			place.configure(`[much]\n${long}${filter("evil", place.canary)}`);
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "log.showSignature with gpg.program",
		arm(place) {
			commitSigned(place);
			place.configure(`[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${place.canary}\n`);
		},
		control: (place) => place.git("log", "-1"),
	},
	{
		name: "log.showSignature with gpg.openpgp.program",
		arm(place) {
			commitSigned(place);
			place.configure(`[log]\n\tshowSignature = true\n[gpg "openpgp"]\n\tprogram = ${place.canary}\n`);
		},
		control: (place) => place.git("log", "-1"),
	},
	{
		name: "a filter of a submodule's own",
		arm(place) {
			const origin = join(place.root, "origin");
			cpSync(place.tree, origin, { recursive: true });
			place.git("submodule", "add", "-q", origin, "module");
			place.git("commit", "-qam", "Module");
			place.write(".git/modules/module/info/attributes", "* filter=evil\n");
			appendFileSync(join(place.tree, ".git/modules/module/config"), filter("evil", place.canary));
			// Of the same size: otherwise Git knows without looking that it was changed.
			place.write("module/a.js", "function take() {}\n");
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "a bare repository made of tracked files",
		cwd: "docs/src",
		arm(place) {
			place.write("docs/src/a.js", "function bake() {}\n");
			cpSync(join(place.tree, ".git"), join(place.tree, "docs"), { recursive: true });
			const evil = `[core]\n\tbare = false\n\tworktree = .\n${filter("a=b", place.canary)}`;
			appendFileSync(join(place.tree, "docs/config"), evil);
			place.write("docs/info/attributes", "* filter=a=b\n");
			place.write("docs/a.js", CHANGED);
			place.git("add", "--force", "docs");
			place.git("commit", "-qm", "Docs");
			place.write("docs/src/a.js", CHANGED);
		},
		control: (place) => void plainGit(place, join(place.tree, "docs/src"), ["diff", "HEAD"]),
	},
	{
		name: "core.pager",
		arm(place) {
			place.configure(`[core]\n\tpager = ${place.canary}\n[pager]\n\tlog = true\n\tdiff = ${place.canary}\n`);
			place.write("a.js", CHANGED);
		},
		// A pager is for a terminal.
		control: ({ tree, root }) =>
			void execFileSync("script", ["-qec", "git --paginate log -1", "/dev/null"], {
				cwd: tree,
				env: { PATH: process.env["PATH"], HOME: root, TERM: "xterm" },
				stdio: "ignore",
			}),
	},
	{
		name: "an alias with the name of a command",
		arm(place) {
			const aliases = ["log", "ls-tree", "cat-file", "diff-tree", "rev-parse", "ls-files", "evil"];
			place.configure(`[alias]\n${aliases.map((name) => `\t${name} = !${place.canary}\n`).join("")}`);
			place.write("a.js", CHANGED);
		},
		control: (place) => place.git("evil"),
	},
	{
		name: "include.path",
		arm(place) {
			place.write("settings", filter("in=cluded", place.canary));
			place.write(".git/info/attributes", "* filter=in=cluded\n");
			place.configure("[include]\n\tpath = ../settings\n");
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "includeIf",
		arm(place) {
			place.write("settings", filter("in=cluded", place.canary));
			place.write(".git/info/attributes", "* filter=in=cluded\n");
			place.configure('[includeIf "onbranch:main"]\n\tpath = ../settings\n');
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "url.insteadOf",
		arm: (place) =>
			losePart(
				place,
				"https://example.invalid/x",
				`[url "ext::${place.canary} "]\n\tinsteadOf = https://example.invalid/\n`,
			),
		control: readLost,
		refuses: /is not in the repository/,
	},
	{
		name: "core.sshCommand",
		arm: (place) => losePart(place, "ssh://example.invalid/x", `[core]\n\tsshCommand = ${place.canary}\n`),
		control: readLost,
		refuses: /is not in the repository/,
	},
	{
		name: "credential.helper",
		arm(place) {
			losePart(place, "https://example.invalid/x", `[credential]\n\thelper = ${place.canary}\n`);
		},
		control: (place) =>
			void plainGit(place, place.tree, ["credential", "fill"], "protocol=https\nhost=example.invalid\n\n"),
		refuses: /is not in the repository/,
	},
	{
		name: "diff.external",
		arm(place) {
			place.configure(`[diff]\n\texternal = ${place.canary}\n`);
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "a diff driver and its textconv",
		arm(place) {
			place.write(".git/info/attributes", "* diff=evil\n");
			place.configure(`[diff "evil"]\n\ttextconv = ${place.canary}\n\tcommand = ${place.canary}\n`);
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "a merge driver",
		arm(place) {
			place.git("checkout", "-qb", "other");
			place.write("a.js", "function bake() { other(); }\n");
			place.git("commit", "-qam", "Other");
			place.git("checkout", "-q", "main");
			place.write("a.js", "function bake() { main(); }\n");
			place.git("commit", "-qam", "Main");
			place.write(".git/info/attributes", "* merge=evil\n");
			place.configure(`[merge "evil"]\n\tdriver = ${place.canary} %A\n`);
			place.write("a.js", CHANGED);
		},
		control(place) {
			place.git("stash");
			place.git("merge", "other");
		},
	},
	{
		name: "hooks, and core.hooksPath",
		arm(place) {
			for (const name of ["post-index-change", "reference-transaction", "post-checkout", "pre-commit"])
				cpSync(place.canary, join(place.tree, "hooks", name));
			place.configure("[core]\n\thooksPath = hooks\n");
			place.write("a.js", CHANGED);
		},
		control: (place) => place.git("commit", "-qam", "Hooked"),
	},
	{
		name: "core.fsmonitor",
		arm(place) {
			place.configure(`[core]\n\tfsmonitor = ${place.canary}\n\tuntrackedCache = true\n`);
			place.write("a.js", CHANGED);
		},
		control: (place) => place.git("status"),
	},
	{
		name: "alternates with core.alternateRefsCommand",
		arm(place) {
			cpSync(place.tree, join(place.root, "lender"), { recursive: true });
			place.write(".git/objects/info/alternates", `${join(place.root, "lender/.git/objects")}\n`);
			place.configure(`[core]\n\talternateRefsCommand = ${place.canary}\n`);
			place.write("a.js", CHANGED);
		},
		control: (place) => place.git("rev-list", "--alternate-refs"),
	},
	{
		name: "a gitdir file that leads to another repository with settings",
		arm(place) {
			const elsewhere = join(place.root, "elsewhere.git");
			cpSync(join(place.tree, ".git"), elsewhere, { recursive: true });
			rmSync(join(place.tree, ".git"), { recursive: true });
			writeFileSync(join(place.tree, ".git"), `gitdir: ${elsewhere}\n`);
			writeFileSync(join(elsewhere, "info/attributes"), "* filter=a=b\n");
			appendFileSync(join(elsewhere, "config"), filter("a=b", place.canary));
			place.write("a.js", CHANGED);
		},
		control: diff,
	},
	{
		name: "the settings of a linked worktree",
		cwd: "../linked",
		arm(place) {
			place.git("worktree", "add", "-q", join(place.root, "linked"));
			place.configure("[extensions]\n\tworktreeConfig = true\n");
			place.write(".git/info/attributes", "* filter=a=b\n");
			place.write(".git/worktrees/linked/config.worktree", filter("a=b", place.canary));
			place.write("../linked/a.js", CHANGED);
		},
		control: (place) => void plainGit(place, join(place.root, "linked"), ["diff", "HEAD"]),
	},
	{
		name: "a program of the project called git",
		path: "node_modules/.bin",
		arm(place) {
			place.write(".gitignore", "node_modules\n");
			mkdirSync(join(place.tree, "node_modules/.bin"), { recursive: true });
			cpSync(place.canary, join(place.tree, "node_modules/.bin/git"));
			place.write("a.js", CHANGED);
		},
		control: ({ tree, root }) =>
			void execFileSync("git", ["status"], {
				cwd: tree,
				env: { PATH: `${join(tree, "node_modules/.bin")}:${process.env["PATH"]}`, HOME: root },
				input: "",
			}),
	},
];
