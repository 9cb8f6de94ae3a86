import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface NpmRegistry {
	readonly url: string;
	readonly integrity: string;
	/** From now on the package is another one than the checksum says. */
	tamper(): void;
	close(): Promise<void>;
}

/** A registry on loopback that has one package with one file, as real npm asks for it. */
export async function startNpmRegistry(name: string, version: string, code: string): Promise<NpmRegistry> {
	const tarball = makeTarball({ name, version, main: "main.cjs" }, code);
	const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
	let isTampered = false;
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? "");
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		if (path === `/${name}`) {
			const dist = { tarball: `${url}/package.tgz`, integrity };
			response.setHeader("content-type", "application/json");
			response.end(
				JSON.stringify({
					name,
					"dist-tags": { latest: version },
					versions: { [version]: { name, version, main: "main.cjs", dist } },
				}),
			);
		} else if (path === "/package.tgz") {
			response.end(
				isTampered ? makeTarball({ name, version, main: "main.cjs" }, `${code}\n// changed`) : tarball,
			);
		} else response.writeHead(404).end("{}");
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		integrity,
		tamper: () => {
			isTampered = true;
		},
		close: () => {
			server.closeAllConnections();
			return new Promise((done) => server.close(() => done()));
		},
	};
}

function makeTarball(manifest: object, code: string): Buffer {
	const directory = mkdtempSync(join(tmpdir(), "deputize-registry-"));
	try {
		mkdirSync(join(directory, "package"));
		writeFileSync(join(directory, "package", "package.json"), JSON.stringify(manifest));
		writeFileSync(join(directory, "package", "main.cjs"), code);
		execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: directory });
		return readFileSync(join(directory, "package.tgz"));
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}
