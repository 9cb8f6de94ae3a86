import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "../pi-library.ts";

/** What every command of `/toolkit` works with. */
export interface Toolkit {
	readonly pi: ExtensionAPI;
	readonly library: PiLibrary;
	readonly context: ExtensionCommandContext;
}
