import { chmodSync, existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { needPeer, PEER_MODULES } from "./lsp-workspace.ts";
import type { PiHome } from "./pi-door-home.ts";
import { listChildrenOf } from "./pi-door-processes.ts";
import type { ScriptedRequest } from "./pi-door-provider.ts";

/** A small TypeScript project with one problem that is nobody's fault today. */
const FILES = {
	"tsconfig.json":
		'{ "compilerOptions": { "strict": true, "types": [], "noEmit": true }, "include": ["src"] }',
	"src/area.ts": "export function area(width: number): number {\n\treturn width * width;\n}\n",
	"src/main.ts":
		'import { area } from "./area";\n\nexport const old: string = 1;\nexport const size = area(2);\n',
};

export interface PiProject {
	/** For pi's environment: a TypeScript server on PATH that notes each of its starts. */
	readonly env: Readonly<Record<string, string>>;
	read(file: string): string;
	startedServers(): number;
}

/** The native one starts in a fifth of the time. */
export type PiProjectServer = "typescript-language-server" | "typescript-7";

export function createPiProject(home: PiHome, server: PiProjectServer): PiProject {
	for (const [file, content] of Object.entries(FILES)) home.write(`project/${file}`, content);
	const log = join(home.root, "server-starts.log");
	const isNative = server === "typescript-7";
	const program = isNative ? "tsc" : server;
	const script = needPeer(isNative ? "typescript-7/bin/tsc" : `.bin/${server}`);
	// Found by the version in the package around the program.
	if (isNative) home.write("package.json", '{ "version": "7.0.2" }');
	home.write(
		`bin/${program}`,
		`#!/bin/sh\necho started >> '${log}'\nexec '${process.execPath}' '${script}' "$@"\n`,
	);
	chmodSync(join(home.root, "bin", program), 0o755);
	return {
		env: { PATH: [join(home.root, "bin"), join(PEER_MODULES, ".bin"), home.env["PATH"]].join(delimiter) },
		read: (file) => readFileSync(join(home.project, file), "utf8"),
		startedServers: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0),
	};
}

/** Every report about new problems that a request carries, in order. */
export function reportsIn(request: ScriptedRequest | undefined): readonly string[] {
	return (request?.messages ?? [])
		.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content ?? "")))
		.filter((content) => content.includes("New since these edits"));
}

export interface ChildSocket {
	readonly path: string;
	readonly token: string;
}

/** What the parent gave the child that runs now, read where only this user can: in the child's environment. */
export function readChildSocket(home: PiHome): ChildSocket | undefined {
	for (const pid of listChildrenOf(home.root)) {
		const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
		const grant = variables.find((variable) => variable.startsWith("PI_SUBAGENT_GRANT="));
		const socket = grant && JSON.parse(grant.slice(grant.indexOf("=") + 1)).lspSocket;
		if (socket) return socket as ChildSocket;
	}
	return undefined;
}

/** Says one line to the socket and gives back everything it answers. */
export async function talkToSocket(path: string, message: unknown): Promise<string> {
	const socket = connect(path);
	socket.write(`${JSON.stringify(message)}\n`);
	return text(socket);
}
