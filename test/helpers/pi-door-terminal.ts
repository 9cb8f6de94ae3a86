import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findExecutable } from "../../src/process/find-executable.ts";
import type { PiHome } from "./pi-door-home.ts";
import { EXTENSION, MODEL, PI_SCRIPT } from "./pi-door-home.ts";

const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 100;
const TMUX_SETTINGS = `set -g default-terminal tmux-256color
set -ga terminal-overrides ",*:Tc"
set -g extended-keys on
set -g escape-time 0
`;

/** A real pi in a real terminal (tmux), driven with real keys. */
export interface PiTerminal {
	/** The screen as text. */
	read(): string;
	/** The screen with its colours, as escape sequences. */
	readStyled(): string;
	/** From now on notes every byte pi writes; gives what was noted so far. */
	record(): () => string;
	type(text: string): void;
	/** Types a line and sends it. pi refuses input while it starts, so it is sent until the editor is empty. */
	submit(text: string): Promise<void>;
	/** Names as tmux knows them: Enter, Escape, C-o, Down, PageDown … */
	press(...keys: string[]): void;
	resize(columns: number, rows: number): void;
	/** The screen once it shows what is looked for. */
	waitFor(wanted: string | RegExp): Promise<string>;
	waitUntilGone(unwanted: string | RegExp): Promise<string>;
	close(): Promise<void>;
}

export function hasTerminal(): boolean {
	return findExecutable("tmux", process.env) !== undefined;
}

export async function openPiTerminal(
	home: PiHome,
	options: {
		readonly columns?: number;
		readonly rows?: number;
		readonly args?: readonly string[];
		readonly extensions?: readonly string[];
		readonly script?: string;
	} = {},
): Promise<PiTerminal> {
	const socket = `deputize-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
	const settings = home.write("tmux.conf", TMUX_SETTINGS);
	const tmux = (...args: string[]): string =>
		execFileSync("tmux", ["-L", socket, "-f", settings, ...args], {
			encoding: "utf8",
			env: home.env,
			stdio: ["ignore", "pipe", "ignore"],
		});
	const extensions = (options.extensions ?? [EXTENSION]).flatMap((file) => ["-e", file]);
	const program = [process.execPath, options.script ?? PI_SCRIPT];
	const command = [...program, "--model", MODEL, ...extensions, ...(options.args ?? [])];
	const size = ["-x", String(options.columns ?? 100), "-y", String(options.rows ?? 40)];
	const environment = Object.entries(home.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
	tmux("new-session", "-d", "-s", "pi", ...size, "-c", home.project, ...environment, ...command);
	const read = (): string => tmux("capture-pane", "-p", "-t", "pi");
	const look = async (description: string, holds: (screen: string) => boolean): Promise<string> => {
		const until = Date.now() + WAIT_MS;
		for (;;) {
			const screen = read();
			if (holds(screen)) return screen;
			if (Date.now() > until) throw new Error(`The screen never showed ${description}:\n${screen}`);
			await sleep(LOOK_AGAIN_MS);
		}
	};
	const type = (text: string): void => void tmux("send-keys", "-t", "pi", "-l", text);
	const matches = (screen: string, wanted: string | RegExp): boolean =>
		typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen);
	return {
		read,
		readStyled: () => tmux("capture-pane", "-e", "-N", "-p", "-t", "pi"),
		record() {
			const file = join(home.root, "written");
			writeFileSync(file, "");
			tmux("pipe-pane", "-t", "pi", `cat > '${file}'`);
			return () => readFileSync(file, "latin1");
		},
		type,
		async submit(text) {
			type(text);
			await look(`the typed ${text}`, (screen) => readEditor(screen).includes(text));
			await look(`${text} being sent`, (screen) => {
				// A panel stands in the editor's place, and the help in it shows the very words that were typed.
				if (screen.includes("q Esc close") || !readEditor(screen).includes(text)) return true;
				tmux("send-keys", "-t", "pi", "Enter");
				return false;
			});
		},
		press: (...keys) => void tmux("send-keys", "-t", "pi", ...keys),
		resize: (columns, rows) =>
			void tmux("resize-window", "-t", "pi", "-x", String(columns), "-y", String(rows)),
		waitFor: (wanted) => look(String(wanted), (screen) => matches(screen, wanted)),
		waitUntilGone: (unwanted) => look(`an end of ${unwanted}`, (screen) => !matches(screen, unwanted)),
		async close() {
			const pid = Number(tmux("display-message", "-p", "-t", "pi", "#{pane_pid}").trim());
			process.kill(pid, "SIGTERM");
			for (let waited = 0; isAlive(pid) && waited < WAIT_MS; waited += LOOK_AGAIN_MS)
				await sleep(LOOK_AGAIN_MS);
			try {
				tmux("kill-server");
			} catch {
				// The server ends by itself with its last window.
			}
		},
	};
}

/** What stands between the last two rules, where pi's editor is. */
function readEditor(screen: string): string {
	const lines = screen.split("\n");
	const rules = lines.flatMap((line, index) => (line.startsWith("──") ? [index] : []));
	return lines.slice((rules.at(-2) ?? -1) + 1, rules.at(-1) ?? 0).join("\n");
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
