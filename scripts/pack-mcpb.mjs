// `npm run pack:mcpb`: plugins/mcpb as one file that desktop programs install, deputize-<version>.mcpb. It is a zip archive.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeZip } from "../test/helpers/convert-zip.ts";
import { renderPlugins } from "./generate-plugins.mjs";
import { root } from "./install-dependencies.mjs";

const FOLDER = "plugins/mcpb/";
const parts = renderPlugins()
	.filter(({ path }) => path.startsWith(FOLDER))
	.map(({ path, text }) => ({ name: path.slice(FOLDER.length), content: text }));
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const file = `${name}-${version}.mcpb`;
writeFileSync(join(root, file), makeZip(parts));
process.stdout.write(`${file}\n`);
