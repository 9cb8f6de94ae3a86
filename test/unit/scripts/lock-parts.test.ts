import { expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { lockParts } from "../../../scripts/lock-parts.mjs";

const entry = (version: string, more: object = {}) => ({
	version,
	resolved: `https://registry.example/${version}.tgz`,
	integrity: `sha512-${version}`,
	dev: true,
	...more,
});
const LOCK = {
	packages: {
		"": { name: "x" },
		"node_modules/engine": entry("1.0.0", {
			dependencies: { helper: "^2.0.0" },
			optionalDependencies: { "engine-linux": "1.0.0", "engine-nowhere": "1.0.0" },
			peerDependencies: { driver: "*", other: "*" },
			peerDependenciesMeta: { other: { optional: true } },
		}),
		"node_modules/engine/node_modules/helper": entry("2.0.0", { dependencies: { deep: "1" } }),
		"node_modules/helper": entry("1.0.0"),
		"node_modules/deep": entry("1.1.0", { bin: { deep: "x" } }),
		"node_modules/driver": entry("3.0.0"),
		"node_modules/other": entry("9.0.0"),
		"node_modules/engine-linux": entry("1.0.1", { optional: true, os: ["linux"], cpu: ["x64"] }),
	},
};
const ROWS = { engine: { packages: ["engine"] } };

it("takes what a part needs from our lock, as Node would find it, with checksums and without addresses", () => {
	const { engine } = lockParts(ROWS, LOCK, (path: string) => path.length);
	expect(engine.packages).toEqual({
		"node_modules/deep": { version: "1.1.0", integrity: "sha512-1.1.0" },
		"node_modules/driver": { version: "3.0.0", integrity: "sha512-3.0.0" },
		"node_modules/engine": {
			version: "1.0.0",
			integrity: "sha512-1.0.0",
			dependencies: { helper: "^2.0.0" },
			optionalDependencies: { "engine-linux": "1.0.0" },
			peerDependencies: { driver: "*", other: "*" },
			peerDependenciesMeta: { other: { optional: true } },
		},
		"node_modules/engine-linux": {
			version: "1.0.1",
			integrity: "sha512-1.0.1",
			optional: true,
			os: ["linux"],
			cpu: ["x64"],
		},
		"node_modules/engine/node_modules/helper": {
			version: "2.0.0",
			integrity: "sha512-2.0.0",
			dependencies: { deep: "1" },
		},
	});
	expect(engine.bytes).toBe(Object.keys(engine.packages).join("").length);
});

it("gives another fingerprint to another version or checksum", () => {
	const fingerprint = (lock: object): string => lockParts(ROWS, lock).engine.fingerprint;
	const changed = structuredClone(LOCK);
	changed.packages["node_modules/deep"].integrity = "sha512-other";
	expect(fingerprint(structuredClone(LOCK))).toBe(fingerprint(LOCK));
	expect(fingerprint(changed)).not.toBe(fingerprint(LOCK));
});

it("refuses a lock without the package or without its checksum", () => {
	expect(() => lockParts({ a: { packages: ["absent"] } }, LOCK)).toThrow("no absent for a part");
	const bare = structuredClone(LOCK);
	bare.packages["node_modules/deep"].integrity = "";
	expect(() => lockParts(ROWS, bare)).toThrow("no checksum for node_modules/deep");
});

it("takes a pinned package from its row, without anything that it would need", () => {
	const pinned = { engine: { version: "5.0.0", integrity: "sha512-pinned", bytes: 42 } };
	const { files } = lockParts({ files: { packages: ["engine"], pinned } }, LOCK, () => 7);
	expect(files.packages).toEqual({ "node_modules/engine": { version: "5.0.0", integrity: "sha512-pinned" } });
	expect(files.bytes).toBe(42);
});
