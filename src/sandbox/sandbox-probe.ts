import { asObject, asText } from "@deputize/ground";

/** Something that confines processes on this machine, as a probe found it. */
export interface Sandbox {
	/** Its name, for a person and for `wrap`. */
	readonly mechanism: string;
	/** The path of its program. */
	readonly program: string;
	/** It can bound a directory in memory. */
	readonly hasSizes: boolean;
	/** It and the kernel take our filters of system calls. */
	readonly hasFilter: boolean;
	/** It also works inside of itself. */
	readonly nests: boolean;
	/** Root can become nobody before it starts. */
	readonly hasNobody: boolean;
	/** How it mounts a layer over a directory (`Policy.layer` of the kind `overlay`). */
	readonly layers: LayerMounts;
}

export interface LayerMounts {
	/** `own`: by itself; `outside`: `unshare` and `mount` do it before it starts. */
	readonly how: "own" | "outside" | "none";
	/** For a person: why not. Empty when it works. */
	readonly reason: string;
}

/** Whether processes can be confined here. `reason` is for a person: what was found, and what to do when nothing works. */
export type SandboxProbe =
	| { readonly works: true; readonly reason: string; readonly sandbox: Sandbox }
	| { readonly works: false; readonly reason: string };

/** A probe that another process made and wrote down; undefined when it is not one. */
export function parseSandboxProbe(value: unknown): SandboxProbe | undefined {
	const { works, reason, sandbox } = asObject(value);
	if (typeof works !== "boolean") return undefined;
	if (!works) return { works, reason: asText(reason) };
	const { mechanism, program, hasSizes, hasFilter, nests, hasNobody, layers } = asObject(sandbox);
	if (asText(mechanism) === "" || asText(program) === "") return undefined;
	return {
		works,
		reason: asText(reason),
		sandbox: {
			mechanism: asText(mechanism),
			program: asText(program),
			hasSizes: hasSizes === true,
			hasFilter: hasFilter === true,
			nests: nests === true,
			hasNobody: hasNobody === true,
			layers: parseLayerMounts(layers),
		},
	};
}

function parseLayerMounts(value: unknown): LayerMounts {
	const { how, reason } = asObject(value);
	if (how === "own" || how === "outside") return { how, reason: "" };
	return { how: "none", reason: asText(reason) };
}
