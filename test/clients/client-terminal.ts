import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toEnvironment } from "./client-home.ts";
import type { ClientDriver, ClientHome } from "./client-table.ts";

export const COLUMNS = 110;
const READY_MS = 45_000;
const MOST_TRIES = 5;

export interface ClientTerminal {
	screen(): string;
	/** The same with its colors. */
	coloredScreen(): string;
	press(key: string): void;
	/** Idempotent. */
	close(): void;
}

/** A client at a terminal of its own (tmux), with the prompt typed and sent. */
export async function openClientTerminal(
	driver: ClientDriver,
	home: ClientHome,
	prompt: string,
	rows = 40,
): Promise<ClientTerminal> {
	const launch = driver.terminal(home);
	const socket = join(home.root, "tmux");
	const tmux = (...args: string[]): string =>
		execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
	const variables = Object.entries(toEnvironment(home, launch)).map(([name, value]) => `${name}=${value}`);
	const size = ["-x", String(COLUMNS), "-y", String(rows)];
	const command = ["env", "-i", ...variables, launch.program, ...launch.args];
	tmux("-f", "/dev/null", "new-session", "-d", "-s", "x", ...size, "-c", home.project, ...command);
	const terminal: ClientTerminal = {
		screen: () => tmux("capture-pane", "-p", "-t", "x"),
		coloredScreen: () => tmux("capture-pane", "-p", "-e", "-t", "x"),
		press: (key) => void tmux("send-keys", "-t", "x", key),
		close() {
			try {
				tmux("kill-server");
			} catch {
				// It is gone already.
			}
		},
	};
	try {
		for (let waited = 0; waited < READY_MS && !driver.ready.test(terminal.screen()); waited += 200)
			await sleep(200);
		// Some show their prompt before they read it.
		for (let tries = 0; tries < MOST_TRIES && !terminal.screen().includes(prompt); tries += 1) {
			await sleep(2000);
			tmux("send-keys", "-t", "x", "-l", prompt);
			await sleep(1000);
		}
		terminal.press("Enter");
		return terminal;
	} catch (error) {
		terminal.close();
		throw error;
	}
}
