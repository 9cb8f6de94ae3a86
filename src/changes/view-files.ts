import { join } from "node:path";
import type { WrapCommand } from "../git/confine-git.ts";
import type { FileView } from "../git/open-store.ts";
import type { LayerMount } from "../sandbox/policy.ts";
import type { SandboxProbe } from "../sandbox/sandbox-probe.ts";
import { wrap } from "../sandbox/wrap.ts";

/**
 * How Git sees the files of a project, or those of a layer over it. Where a sandbox works it is in one: what it looks at can
 * be anyone's, and it may write to nothing but the store.
 */
export function viewFiles(options: {
	readonly top: string;
	readonly store: string;
	readonly probe: SandboxProbe;
	readonly layer?: LayerMount | undefined;
	readonly isExact: boolean;
	readonly isForeign?: boolean;
}): FileView {
	const { top, store, probe, layer, isExact, isForeign = false } = options;
	if (!probe.works) return { top, isExact, isForeign };
	const wrapIn =
		(cwd: string, mount: LayerMount | undefined): WrapCommand =>
		(command, args) =>
			wrap(
				{ command, args },
				{
					...{ view: "machine", network: "none", calls: "own-no-sockets", cwd },
					...(mount === undefined ? {} : { layer: mount }),
					writable: [store],
				},
				probe.sandbox,
			);
	return { top, isExact, isForeign, wrap: wrapIn(top, layer), apart: wrapIn(store, undefined) };
}

export function storeDirectory(state: string): string {
	return join(state, "git");
}
