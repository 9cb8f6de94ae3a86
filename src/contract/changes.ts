/** What a child changed, as every door shows it. */
import type { Environment } from "@deputize/ground";

/** Where a child that writes works: in a layer over the project, in a private copy of it, or in the project itself. */
export const ISOLATIONS = ["in-place", "copy", "layer"] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** Whose changes these are. */
export interface ChangeOrigin {
	readonly agent: string;
	readonly task: string;
	readonly runId: string;
	/** A later run of the session goes on in the same layer. */
	readonly sessionId?: string;
}

export interface ChangedFile {
	/** From the top of the project, with `/`. Bytes that are no text are shown as `\ufffd`. */
	readonly path: string;
	readonly status: "added" | "modified" | "deleted" | "renamed";
	/** Its name before it was renamed. */
	readonly from?: string;
	/** Lines; undefined for a file that is not text. */
	readonly added?: number;
	readonly removed?: number;
	/** It is in the project now. */
	readonly isApplied: boolean;
}

/** Names of what is told and never applied; only the first of them when there are many. */
export interface NamedPaths {
	readonly count: number;
	readonly names: readonly string[];
}

/**
 * `open`: a child is at work. `pending`: not all of it is in the project. `applied`: all of it is.
 */
export type ChangeState = "open" | "pending" | "applied";

export interface ChangeSet {
	/** Eight hexadecimal digits. */
	readonly id: string;
	readonly state: ChangeState;
	readonly origin: ChangeOrigin;
	/** The top of the project. */
	readonly project: string;
	readonly isolation: Exclude<Isolation, "in-place">;
	/** ISO 8601. */
	readonly createdAt: string;
	readonly changedAt: string;
	/** In the order of their names. */
	readonly files: readonly ChangedFile[];
	readonly added: number;
	readonly removed: number;
	/** Changed, and ignored by Git: in the layer only. */
	readonly ignored: NamedPaths;
	/** Submodules and repositories inside of the project that changed: in the layer only. */
	readonly repositories: NamedPaths;
	/** Whoever watched over the child ended before it did. */
	readonly wasInterrupted: boolean;
	/** What the layer and the stored changes take on the disk. */
	readonly bytes: number;
}

/** Another change of the same files. */
export interface ChangeOverlap {
	readonly id: string;
	readonly agent: string;
	/** `open`: its child is at work. */
	readonly state: ChangeState;
	readonly files: readonly string[];
}

/** Lines of the project's file, from 1, both included; `from` is after `to` where it has none. */
export interface LineRange {
	readonly from: number;
	readonly to: number;
}

/** Why a file cannot be applied. */
export interface Conflict {
	readonly path: string;
	/** For a person. */
	readonly reason: string;
	/** Where it is, in the project's file. */
	readonly lines?: readonly LineRange[];
}

/** The user's environment and pi's own directory; `Surroundings` is one. */
export interface ChangesPlace {
	readonly env: Environment;
	readonly agentDirectory: string;
}
