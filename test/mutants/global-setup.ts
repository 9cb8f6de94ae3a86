import { openTestDirectory } from "../helpers/test-directory.ts";

/** All temporary files of a run are in one directory, which goes with it: a mutant may forget to remove its own. */
export default function setup(): () => void {
	return openTestDirectory().remove;
}
