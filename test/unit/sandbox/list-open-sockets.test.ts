import { afterEach, describe, expect, it, vi } from "vitest";
import { parseSocketPaths } from "../../../src/sandbox/list-open-sockets.ts";

const HEAD = "Num       RefCount Protocol Flags    Type St Inode Path";
const row = (path: string): string => `0000000000000000: 00000002 00000000 00010000 0001 01 23456 ${path}`;

describe("sockets on which a program listens", () => {
	afterEach(() => {
		vi.doUnmock("node:fs");
		vi.resetModules();
	});

	it.each([
		["a path", row("/run/agent.sock"), ["/run/agent.sock"]],
		["a path with blanks", row("/run/my agent/a b"), ["/run/my agent/a b"]],
		["one that was bound twice", `${row("/run/a")}\n${row("/run/a")}`, ["/run/a"]],
		["a row that is indented", `   ${row("/run/a")}`, ["/run/a"]],
		["no abstract one", row("@/tmp/.X11-unix/X0"), []],
		["none without a name", row(""), []],
		["none with a name from somewhere", row("relative/a"), []],
		["none in a row that is cut off", "0000000000000000: 00000002 00000000 /run/a", []],
		["nothing in the head", HEAD, []],
	])("are read from the kernel's table: %s", (_name, table, paths) => {
		expect(parseSocketPaths(`${HEAD}\n${table}\n`)).toEqual(paths);
	});

	const NOW = 1_000_000;
	async function listOn(table: string | Error, ages: Readonly<Record<string, number | "file">>) {
		vi.resetModules();
		const real = await vi.importActual<typeof import("node:fs")>("node:fs");
		vi.doMock("node:fs", () => ({
			...real,
			readFileSync: (path: string) => {
				expect(path).toBe("/proc/net/unix");
				if (table instanceof Error) throw table;
				return table;
			},
			lstatSync: (path: string) => {
				const age = ages[path];
				if (age === undefined) throw new Error("not here");
				return { isSocket: () => age !== "file", ctimeMs: NOW - (age === "file" ? NOW : age) };
			},
		}));
		const { listOpenSockets } = await import("../../../src/sandbox/list-open-sockets.ts");
		return listOpenSockets(NOW);
	}

	it("are covered when they have been there for a minute, are sockets and are of this file system", async () => {
		const table = ["/run/old", "/run/young", "/run/file", "/run/elsewhere"].map(row).join("\n");
		expect(await listOn(table, { "/run/old": 60_001, "/run/young": 60_000, "/run/file": "file" })).toEqual([
			"/run/old",
		]);
	});

	it("are left open where names are resolved", async () => {
		const paths = [
			"/run/nscd/socket",
			"/var/run/nscd/socket",
			"/run/systemd/resolve/io.systemd.Resolve",
			"/run/systemd/userdb/io.systemd.Multiplexer",
			"/var/lib/sss/pipes/nss",
			"/run/systemd/notify",
		];
		const ages = Object.fromEntries(paths.map((path) => [path, 100_000]));
		expect(await listOn(paths.map(row).join("\n"), ages)).toEqual(["/run/systemd/notify"]);
	});

	it("are two hundred at most, and none where there is no table", async () => {
		const paths = Array.from({ length: 300 }, (_, index) => `/run/socket-${index}`);
		const ages = Object.fromEntries(paths.map((path) => [path, 100_000]));
		expect(await listOn(paths.map(row).join("\n"), ages)).toEqual(paths.slice(0, 200));
		expect(await listOn(new Error("no /proc"), ages)).toEqual([]);
	});
});
