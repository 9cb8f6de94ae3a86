import type { Sandbox } from "./sandbox-probe.ts";

/** Where a child in a sandbox may write, and what its commands see and may do: as it travels to the child. */
export interface Workspace {
	/** The project, as the layer over it shows it. */
	readonly root: string;
	/** Absent where commands cannot be confined: then there are none. */
	readonly sandbox?: Sandbox;
	/** Commands have the network of the machine. */
	readonly network: boolean;
	/** Real paths that commands do not see: what the child's own program needs, with its key and its session. */
	readonly hidden: readonly string[];
	/** What all processes of a command may use together. */
	readonly memoryMb: number;
}
