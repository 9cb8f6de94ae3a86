import type { Environment } from "@deputize/ground";

/** What progress is shown on. */
export interface Screen {
	readonly isTTY?: boolean;
	readonly columns?: number;
	write(text: string): unknown;
}

/** How a stream wants to be written to. */
interface TerminalStyle {
	/** Colors, bold type and links. */
	readonly isRich: boolean;
	/** The cursor can be moved to redraw lines. */
	readonly isLive: boolean;
}

/** `NO_COLOR` and `FORCE_COLOR` as most programs read them; a dumb terminal takes no escape sequences at all. */
export function chooseStyle(stream: Pick<Screen, "isTTY">, env: Environment): TerminalStyle {
	const isTerminal = stream.isTTY === true && env["TERM"] !== "dumb";
	const forced = env["FORCE_COLOR"];
	const isForced = forced !== undefined && forced !== "0" && forced !== "false";
	const isRefused = Boolean(env["NO_COLOR"]) || forced === "0" || forced === "false";
	return { isRich: isForced || (isTerminal && !isRefused), isLive: isTerminal };
}
