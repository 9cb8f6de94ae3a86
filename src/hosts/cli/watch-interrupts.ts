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
	const stages = watchInterruptStages([
		(name) => {
			say(`${name === "SIGINT" ? "Interrupted" : `Got ${name}`}: stopping the child…`);
			controller.abort();
		},
	]);
	return { signal: controller.signal, ...stages };
}

/** One stage for each signal that comes; a signal after the last stage leaves at once. */
export function watchInterruptStages(
	stages: readonly ((name: string) => void)[],
): Pick<Interrupts, "exitCode" | "stop"> {
	let received = 0;
	let first: Interrupt | undefined;
	const listeners = (Object.keys(EXIT_CODES) as Interrupt[]).map((name) => {
		const listener = (): void => {
			const stage = stages[received];
			if (stage === undefined) process.exit(EXIT_CODES[name]);
			received += 1;
			first ??= name;
			stage(name);
		};
		process.on(name, listener);
		return () => process.off(name, listener);
	});
	return {
		exitCode: () => (first ? EXIT_CODES[first] : undefined),
		stop: () => {
			for (const off of listeners) off();
		},
	};
}
