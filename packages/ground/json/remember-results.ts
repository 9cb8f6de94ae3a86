/** The same function, which computes each result once. */
export function rememberResults<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
	const known = new Map<Key, Value>();
	return (key) => {
		const seen = known.get(key);
		if (seen !== undefined || known.has(key)) return seen as Value;
		const value = compute(key);
		known.set(key, value);
		return value;
	};
}
