// `npm run release -- 1.2.3`: everything that has to be true before 1.2.3 is published. Publishes nothing: the tag v1.2.3 makes
// .github/workflows/release.yml do that, with provenance. `--tested`: the tests have just passed, as they have there.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, checkRelease } from "./check-release.mjs";
import { installDependencies, root } from "./install-dependencies.mjs";

const [version = "", ...options] = process.argv.slice(2);
const read = (file) => readFileSync(join(root, file), "utf8");
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

function stopAt(findings) {
	if (findings.length === 0) return;
	process.stderr.write(
		`Not ready to release${version === "" ? "" : ` ${version}`}:\n${findings.map((line) => `- ${line}\n`).join("")}`,
	);
	process.exit(1);
}

function runStep(title, command, ...args) {
	process.stdout.write(`${title}…\n`);
	const { status } = spawnSync(command, args, {
		cwd: root,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status !== 0) stopAt([`${command} ${args.join(" ")} failed.`]);
}

await installDependencies(root, "dependencies");
stopAt(
	checkRelease({
		version,
		manifest: JSON.parse(read("package.json")),
		changelog: read("CHANGELOG.md"),
		status: git("status", "--porcelain"),
		// A workflow that was started by the tag sees it.
		tags: process.env.GITHUB_REF_TYPE === "tag" ? [] : git("tag").split("\n"),
	}),
);
if (!options.includes("--tested")) {
	runStep("Checks", "npm", "run", "--silent", "check");
	runStep("Tests", "npm", "test");
}
process.stdout.write("What is in the package…\n");
const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
	cwd: root,
	encoding: "utf8",
	stdio: ["ignore", "pipe", "ignore"],
	maxBuffer: 64 * 1024 * 1024,
});
// Before its JSON npm prints what our own scripts say.
const [entry] = JSON.parse(packed.slice(packed.search(/^\[/m)));
stopAt(checkPackage(entry));
process.stdout.write(`${entry.entryCount} files, ${(entry.size / 1024 / 1024).toFixed(1)} MB\n`);
runStep("A publication that is not one", "npm", "publish", "--dry-run", "--provenance", "--access", "public");
stopAt(git("status", "--porcelain").trim() === "" ? [] : ["Packing changed the tree."]);
process.stdout.write(`Ready. Publish with: git tag v${version} && git push origin v${version}\n`);
