/** What a process sees and may do. A mechanism turns it into a command; nobody else knows how. */
export interface Policy {
	readonly cwd: string;
	/**
	 * `machine`: all files of this machine, except those in `hidden`. `nothing`: an empty machine that has the system's
	 * programs and libraries and what is `readable`. `same`: what the process that starts it sees, for a sandbox inside of
	 * a sandbox, where the kernel shows nobody /proc anew. Nothing is writable in any, unless this policy says so.
	 */
	readonly view: "machine" | "nothing" | "same";
	/** A directory that is shown as /tmp and can be written to. Only in the view `same`. */
	readonly temporary?: string;
	/** Shown, also inside of what is hidden. Those that do not exist are skipped. */
	readonly readable?: readonly string[];
	/** Real paths that are shown as empty. Those that do not exist are skipped. */
	readonly hidden?: readonly string[];
	/** Must exist; a single file is possible too. */
	readonly writable?: readonly string[];
	/**
	 * Directories that show what is in them and also take new files, none of which last: for a program that makes lock
	 * files beside its settings. What is there cannot be changed.
	 */
	readonly forgetful?: readonly string[];
	/** A directory that can be written to at its own path and stays as it is. What is hidden inside of it stays hidden. */
	readonly layer?: LayerMount;
	/** Files that show the content of another file. Both must exist. */
	readonly replaced?: readonly ReplacedFile[];
	/** Covered, so that nobody can be reached through them. */
	readonly closedSockets?: readonly string[];
	/** `none`: no interface but its own loopback, and no abstract sockets of the host. */
	readonly network: "shared" | "none";
	/**
	 * What the kernel does for it. `all` leaves nothing out; `own`: nothing that reaches beyond its own files and processes;
	 * `own-no-sockets`: also no unix sockets, through which programs outside act on request; `own-counted`: like `own`, and
	 * no memory that is counted for no process. All but the first only take effect where a probe found that filters work.
	 */
	readonly calls: "all" | "own" | "own-no-sockets" | "own-counted";
	/** A temporary directory in memory, of so many bytes, on an empty machine. Needs a sandbox that can bound one. */
	readonly memory?: number;
	/** Everything in its environment; without it, it has the one it is started with. */
	readonly environment?: Readonly<Record<string, string>>;
	/**
	 * Root becomes nobody where that works: limits on the number of processes do not apply to root. Not with a layer, which
	 * belongs to whoever made it.
	 */
	readonly isNobody?: boolean;
}

export interface LayerMount {
	/** The directory, without links. */
	readonly at: string;
	/**
	 * Where what is written goes. `overlay`: to `upper`, with `work`, `merged` and the link `lower` to the directory beside it;
	 * needs a sandbox with `layers`. `copy`: `copy` is shown in place of the directory.
	 */
	readonly state: string;
	/** Around `state`: shown as empty, with every other layer that is there. */
	readonly hidden: string;
	readonly kind: "overlay" | "copy";
	/** What a copy does not have and shows from the directory itself, read-only: paths that exist. */
	readonly shown?: readonly string[];
}

interface ReplacedFile {
	readonly at: string;
	readonly file: string;
	readonly isWritable: boolean;
}

export interface Command {
	readonly command: string;
	readonly args: readonly string[];
}
