import type { ChangeOrigin, ChangesPlace, Isolation } from "../contract/changes.ts";
import type { LayerMount } from "../sandbox/policy.ts";

/**
 * The room of changes. What others call, each in the file of its name:
 *
 *     openLayer(options)            a place to write in; the project stays as it is       → Layer
 *     collectChanges(layer)         at every ending, also of a run that failed            → ChangeSet, undefined when nothing changed,
 *                                   and for a layer that is thrown away on purpose (`isThrownAway`)
 *     handOverChanges(layer)        the same for one that keeps nothing here: the patch, and the layer is gone
 *     importPatch(project, …)       a patch that somebody handed over becomes a change again
 *     watchLayer(layer, …)          calls back when a child writes more than it may
 *     recoverChanges(place)         layers whose processes are gone: collected, and told exactly once
 *     listChanges / findChange      what is there, newest first
 *     readPatch(place, id)          what `git apply` takes, exact
 *     applyChanges / undoChanges / dropChanges
 *
 * A runtime passes `layer.mount` to the sandbox as `Policy.layer` and starts its child in `layer.directory`. Nouns that
 * doors show are in contract/changes.ts. What is refused is a `ChangesError`.
 */
export interface Layer {
	/** Of the change it will become. */
	readonly id: string;
	/** The directory that is covered: the repository around `directory`, or that itself where there is none. */
	readonly project: string;
	readonly isolation: Exclude<Isolation, "in-place">;
	/** For `Policy.layer`. Undefined for a copy beside the project: no sandbox works, and nothing keeps a child in it. */
	readonly mount: LayerMount | undefined;
	/** Where a child works: the same path as asked for, or the one that corresponds to it in the copy beside. */
	readonly directory: string;
	/** Why it is not a better one, for a person; absent when it is the best, or was asked for. */
	readonly notice?: string;
	/** Its own files, below the agent directory; nothing in them is for a child. */
	readonly state: string;
	readonly place: ChangesPlace;
}

export interface LayerOptions extends ChangesPlace {
	/** Where the child is to work. */
	readonly directory: string;
	readonly origin: ChangeOrigin;
	/** `layer`: the best that works here; `copy`: a copy even where layers work. */
	readonly isolation?: Exclude<Isolation, "in-place">;
	/** Nobody will ask for its changes. */
	readonly isThrownAway?: boolean;
	/** Its changes are taken along by `handOverChanges`, and nothing is kept. */
	readonly isHandedOver?: boolean;
	readonly signal?: AbortSignal | undefined;
}
