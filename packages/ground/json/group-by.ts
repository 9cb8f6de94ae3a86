/** Values by what `choose` says of them, in the order in which each group begins. `Map.groupBy` needs Node 21. */
export function groupBy<Value, Key>(
	values: Iterable<Value>,
	choose: (value: Value) => Key,
): Map<Key, Value[]> {
	const groups = new Map<Key, Value[]>();
	for (const value of values) {
		const key = choose(value);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [value]);
		else group.push(value);
	}
	return groups;
}
