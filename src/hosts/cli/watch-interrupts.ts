const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Interrupt = keyof typeof EXIT_CODES;
type Announce = (name: Interrupt) => void;

interface Interrupts<Stages> {
	/** One for each stage, aborted when that stage is reached. */
	readonly signals: { readonly [Stage in keyof Stages]: AbortSignal };
	/** The exit code of the first interrupt, if one came. */
	exitCode(): number | undefined;
	stop(): void;
}

/** Each interrupt announces and reaches the next stage; one after the last leaves at once, which ends children too. */
export function watchInterrupts<Stages extends readonly Announce[]>(...stages: Stages): Interrupts<Stages> {
	const controllers = stages.map(() => new AbortController());
	let received = 0;
	let first: Interrupt | undefined;
	const listeners = (Object.keys(EXIT_CODES) as Interrupt[]).map((name) => {
		const listener = (): void => {
			const announce = stages[received];
			if (announce === undefined) process.exit(EXIT_CODES[name]);
			first ??= name;
			announce(name);
			controllers[received]?.abort();
			received += 1;
		};
		process.on(name, listener);
		return () => process.off(name, listener);
	});
	return {
		signals: controllers.map(({ signal }) => signal) as Interrupts<Stages>["signals"],
		exitCode: () => (first ? EXIT_CODES[first] : undefined),
		stop: () => {
			for (const off of listeners) off();
		},
	};
}
