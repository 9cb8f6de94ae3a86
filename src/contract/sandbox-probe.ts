/** Whether bubblewrap confines on this machine. */
export interface SandboxProbe {
	readonly works: boolean;
	/** For a person: what was found, and what to do when it does not work. */
	readonly reason: string;
	/** Present when it works. */
	readonly bwrap?: string;
	/** It can bound a directory in memory. */
	readonly hasSizes?: boolean;
	/** It and the kernel take our filter of system calls. */
	readonly hasFilter?: boolean;
	/** It also works inside its own sandbox. */
	readonly nests?: boolean;
}
