import { execFileSync } from "node:child_process";

/** The end-to-end suites load the compiled package, exactly as a user does: compile it before any test runs. */
export default function setup(): void {
	execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
