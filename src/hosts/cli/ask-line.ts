import { createInterface } from "node:readline";

export interface Terminal {
	readonly input: NodeJS.ReadableStream;
	readonly output: NodeJS.WritableStream;
	readonly signal?: AbortSignal;
}

/** The line somebody types; undefined when there is none: the input ended (Ctrl-D), or the signal came first. */
export function askLine(question: string, { input, output, signal }: Terminal): Promise<string | undefined> {
	output.write(question);
	// Not `terminal`: Ctrl-C stays a signal that stops the command.
	const lines = createInterface({ input, terminal: false });
	return new Promise((resolve) => {
		const settle = (line?: string): void => {
			signal?.removeEventListener("abort", giveUp);
			resolve(line);
			lines.close();
		};
		const giveUp = (): void => {
			output.write("\n");
			settle();
		};
		lines.once("line", (line) => {
			lines.off("close", giveUp);
			settle(line);
		});
		lines.once("close", giveUp);
		signal?.addEventListener("abort", giveUp, { once: true });
		if (signal?.aborted) giveUp();
	});
}

/** Anything but a clear yes is a no. */
export async function askYesNo(question: string, terminal: Terminal): Promise<boolean> {
	return /^y(es)?$/i.test((await askLine(question, terminal))?.trim() ?? "");
}
