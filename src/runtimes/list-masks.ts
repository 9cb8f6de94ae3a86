import { realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { canonicalPath } from "@deputize/ground";
import type { UserPlace } from "../config/read-surroundings.ts";
import type { ChildPlan } from "../contract/plan.ts";
import { MCP_EXTENSION } from "../contract/tool.ts";
import { locatePackageFile } from "../entry-points.ts";
import { KERNEL_PLACES } from "../judge/closed-places.ts";
import { createJudge } from "../judge/create-judge.ts";
import { locatePartsDirectory } from "../parts/part-directory.ts";
import type { Policy } from "../sandbox/policy.ts";
import { listReadableRoots } from "../tools/convert/list-readable-roots.ts";

/** Files of certificates and caches that the child's own program reads. */
const READ_BY_NODE = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_COMPILE_CACHE"];

/**
 * What a confined child does not see: the places its tools may not open, so that whatever else runs beside them sees
 * nothing either. Shown again is what the child's program itself needs to run.
 */
export function listMasks(
	plan: ChildPlan,
	options: UserPlace & {
		/** Programs and extensions the child loads. */
		readonly programs: readonly string[];
	},
): Required<Pick<Policy, "hidden" | "readable">> {
	const { env, home, agentDirectory } = options;
	const judge = createJudge({ cwd: plan.cwd, home, agentDirectory, ...plan.fileRules });
	const closed = judge.closedBelow("/");
	const agentHome = canonicalPath(agentDirectory);
	// pi reads its own settings and keys there, and the sandbox has its own /proc and /dev.
	const ofPi = options.programs.includes(MCP_EXTENSION) ? [...OF_PI, ...OF_MCP] : OF_PI;
	const kept = [...KERNEL_PLACES, agentHome, ...ofPi.map((name) => join(agentHome, name))];
	const hidden = closed.filter((path) => !kept.includes(path));
	const named = READ_BY_NODE.flatMap((name) => env[name] ?? []);
	const programPath = (env["PATH"] ?? "").split(delimiter).filter((path) => path !== "");
	// What pi brings itself, such as `builtin:mcp`, has no file.
	const packages = [...options.programs.filter(isAbsolute), locatePackageFile("package.json")].flatMap(
		(program) => listReadableRoots(canonicalPath(program)),
	);
	return {
		hidden,
		readable: [
			...judge.exceptions(),
			...[...named, ...programPath].map(canonicalPath),
			realpathSync(process.execPath),
			...packages.map(canonicalPath),
			// Code of ours, like the package; the judge keeps tools out of it.
			canonicalPath(locatePartsDirectory(agentDirectory)),
			...(plan.lspSocket ? [canonicalPath(dirname(plan.lspSocket.path))] : []),
		].filter((path) => path !== canonicalPath(home)),
	};
}

const OF_PI = ["auth.json", "models.json", "trust.json"];
/** The servers and their logins. */
const OF_MCP = ["mcp.json", "mcp-auth.json"];
