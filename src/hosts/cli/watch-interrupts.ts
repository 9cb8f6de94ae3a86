const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Interrupt = keyof typeof EXIT_CODES;

export interface Interrupts {
	readonly signal: AbortSignal;
	/** The exit code of the signal that ended the run, if one did. */
	exitCode(): number | undefined;
	stop(): void;
}

/** The first signal stops the child and waits for it; a second one leaves at once, which ends the child too. */
export function watchInterrupts(say: (line: string) => void): Interrupts {
	const controller = new AbortController();
	let received: Interrupt | undefined;
	const listeners = (Object.keys(EXIT_CODES) as Interrupt[]).map((name) => {
		const listener = (): void => {
			if (received) process.exit(EXIT_CODES[name]);
			received = name;
			say(`${name === "SIGINT" ? "Interrupted" : `Got ${name}`}: stopping the child…`);
			controller.abort();
		};
		process.on(name, listener);
		return () => process.off(name, listener);
	});
	return {
		signal: controller.signal,
		exitCode: () => (received ? EXIT_CODES[received] : undefined),
		stop: () => {
			for (const off of listeners) off();
		},
	};
}
