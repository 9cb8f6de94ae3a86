import type { UserPlace } from "../../config/read-surroundings.ts";
import type { ChildEvent } from "../../contract/event.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import type { Usage } from "../../contract/usage.ts";
import type { ToolKind } from "../../toolbox/tool-rows.ts";
import type { ProgramName } from "../can-use-model.ts";
import type { LoginFormat } from "../lend-login-file.ts";
import type { ToolServer } from "./tool-server.ts";

/** The files of one run of a program. The directory is removed with the run. */
export interface ProgramPlace {
	/** The program's own directory for this run: empty except for files written before it starts. */
	readonly home: string;
	/** The directory with a lent login. */
	readonly loginDirectory: string;
	readonly temporaryDirectory: string;
	readonly systemPromptFile: string;
	readonly schemaFile: string;
}

interface ProgramLaunch {
	readonly args: readonly string[];
	/** The user's variables that it needs: keys and addresses of its provider. */
	readonly passedNames: readonly string[];
	readonly set: Readonly<Record<string, string>>;
	/** Files that must be in its directory before it starts, by file name. */
	readonly files: Readonly<Record<string, string>>;
}

/** Reads the output of one run of the program line by line. */
export interface EventReader {
	read(event: Readonly<Record<string, unknown>>): readonly ChildEvent[];
	/** The program's own name for the session, once known. */
	sessionName(): string | undefined;
	/** What the session has cost so far: programs report totals, and a run is charged only its own part. */
	total(): Usage;
	/** It would keep trying what cannot succeed. */
	isHopeless(): boolean;
}

interface DescribeOptions {
	readonly surroundings: UserPlace;
	/** The program itself. */
	readonly command: string;
	/** The program's own name for the session that it continues. */
	readonly resumes: string | undefined;
	/** The login is in `loginDirectory`, not in the user's own place. */
	readonly isLent: boolean;
	/** Our tools, for a child in a layer. */
	readonly toolServer?: ToolServer | undefined;
}

/** What is specific to the command line program of one other agent when it is a child. */
export interface AgentProgram {
	readonly name: ProgramName;
	/** For messages. */
	readonly title: string;
	readonly packageName: string;
	readonly tested: {
		readonly version: string;
		/** Arguments that print the options, and those that a child is started with. */
		readonly help: readonly string[];
		readonly options: readonly string[];
	};
	/**
	 * `ours` goes around the whole program. `own`: it runs every command in a sandbox of its own, which does not work
	 * inside of ours, and runs none without it. In a layer it is in ours, and runs no command but through our tools.
	 */
	readonly sandbox: "ours" | "own";
	/** Which of our tools a child in a layer is served; it has others of its own. */
	readonly servedKinds: readonly ToolKind[];
	/** Variables that the same program, when we run inside it, sets for its children. */
	readonly ownNames: RegExp;
	/** Where the user's own one is: `PROGRAM_LOGINS`. */
	readonly login: {
		/** The program looks for it in its own directory, and nowhere else. */
		readonly isInHome: boolean;
		readonly format: LoginFormat;
	};
	describe(plan: ChildPlan, place: ProgramPlace, options: DescribeOptions): ProgramLaunch;
	writeTask(task: string): string;
	/** `spent` is the total of the session before this run. */
	createReader(plan: ChildPlan, spent: Usage, surroundings: UserPlace): EventReader;
	/** Lines that repeat what a tool returned. */
	readonly toolResultTypes: readonly string[];
}
