/** Values from several producers for one reader, in the order they came. */
export interface Channel<Value> extends AsyncIterable<Value> {
	push(value: Value): void;
	/** No more values come. With an error, the reader gets it after the values before it. */
	end(failure?: { readonly error: unknown }): void;
	/** Waits until the reader has fewer than this many values before it. */
	hasRoom(maxUnread: number): Promise<void>;
}

export function createChannel<Value>(): Channel<Value> {
	const unread: Value[] = [];
	const readers: (() => void)[] = [];
	const writers: (() => void)[] = [];
	let ended: { readonly failure?: { readonly error: unknown } | undefined } | undefined;
	const wake = (waiting: (() => void)[]): void => {
		for (const resume of waiting.splice(0)) resume();
	};
	const wait = (waiting: (() => void)[]): Promise<void> => new Promise((resolve) => waiting.push(resolve));
	return {
		push(value) {
			unread.push(value);
			wake(readers);
		},
		end(failure) {
			ended ??= { failure };
			wake(readers);
			wake(writers);
		},
		async hasRoom(maxUnread) {
			while (unread.length >= maxUnread && ended === undefined) await wait(writers);
		},
		async *[Symbol.asyncIterator]() {
			for (;;) {
				// Taken in one step: shifting a long list value by value takes quadratic time.
				const values = unread.splice(0);
				wake(writers);
				yield* values;
				if (unread.length > 0) continue;
				if (ended?.failure !== undefined) throw ended.failure.error;
				if (ended !== undefined) return;
				await wait(readers);
			}
		},
	};
}
