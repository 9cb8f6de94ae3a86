interface SingleDecision<Decision> {
	readonly made: Promise<Decision>;
	isMade(): boolean;
	make(decision: Decision): void;
}

/** The first reason for ending wins; later ones change nothing. */
export function createSingleDecision<Decision>(): SingleDecision<Decision> {
	let isMade = false;
	let settle: (decision: Decision) => void = () => undefined;
	const made = new Promise<Decision>((resolve) => {
		settle = resolve;
	});
	return {
		made,
		isMade: () => isMade,
		make(decision) {
			isMade = true;
			settle(decision);
		},
	};
}
