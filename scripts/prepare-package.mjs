// What is packed differs from the repository in two ways: package.json has exact versions of everything (see
// pin-dependencies.mjs) and the addresses that follow from `repository`, and links of the pages lead out of the package where
// it does not contain their target. `--restore` brings the files back, also after a packing that was interrupted.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./install-dependencies.mjs";
import { linkPage, toRepositoryAddress } from "./link-page.mjs";
import { toPinnedManifest } from "./pin-dependencies.mjs";

const kept = join(root, "node_modules", ".cache", "deputize", "unpacked");
const readText = (path) => readFileSync(join(root, path), "utf8");

/** New text by path, of everything that changes. */
export function preparePackage() {
	const manifest = JSON.parse(readText("package.json"));
	const lock = JSON.parse(readText("package-lock.json"));
	// Without the slash npm would take files of these names in every directory.
	const names = [...manifest.files.map((name) => name.replace(/^\//, "")), "package.json"];
	const isPacked = (path) =>
		names.some((name) => path === name || path.startsWith(`${name}/`)) && existsSync(join(root, path));
	const repository = toRepositoryAddress(manifest);
	const packed = {
		...toPinnedManifest(manifest, lock),
		homepage: `${repository}#readme`,
		bugs: { url: `${repository}/issues` },
	};
	const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).filter(isPacked);
	return new Map([
		["package.json", `${JSON.stringify(packed, undefined, "\t")}\n`],
		...pages.map((page) => [
			page,
			linkPage(readText(page), { page, isPacked, repository, version: manifest.version }),
		]),
	]);
}

function restore() {
	if (!existsSync(kept)) return;
	for (const entry of readdirSync(kept, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const from = join(entry.parentPath, entry.name);
		writeFileSync(join(root, from.slice(kept.length)), readFileSync(from));
	}
	rmSync(kept, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	restore();
	if (!process.argv.includes("--restore")) {
		for (const [path, text] of preparePackage()) {
			if (readText(path) === text) continue;
			mkdirSync(dirname(join(kept, path)), { recursive: true });
			writeFileSync(join(kept, path), readText(path));
			writeFileSync(join(root, path), text);
		}
	}
}
