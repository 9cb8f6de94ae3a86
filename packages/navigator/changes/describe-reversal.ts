const TURNS: readonly (readonly [string, string])[] = [
	["<", "<="],
	[">", ">="],
	["<", ">"],
	["<=", ">="],
	["<", ">="],
	[">", "<="],
	["==", "!="],
	["===", "!=="],
	["===", "=="],
	["!==", "!="],
	["==", "="],
	["&&", "||"],
	["and", "or"],
	["is", "is not"],
	["in", "not in"],
	["if", "unless"],
	["+", "-"],
	["+=", "-="],
	["++", "--"],
	["*", "/"],
	["min", "max"],
	["Min", "Max"],
	["every", "some"],
	["any", "all"],
	["first", "last"],
	["push", "unshift"],
	["shift", "pop"],
	["floor", "ceil"],
	["true", "false"],
	["True", "False"],
	["startsWith", "endsWith"],
	["-eq", "-ne"],
	["-lt", "-le"],
	["-gt", "-ge"],
	["-lt", "-gt"],
	["-z", "-n"],
];
const TOKENS = /[\w$]+|-[a-z]{1,2}\b|\?\.|[<>=!&|+\-*/%?]+|[^\s\w]/g;
/** Units that are mixed up. */
const FACTOR = /^[*/] (?:10|60|100|1000|1e3|1_000|1024|3600)$/;
/** What a line does not do by accident: waiting, leaving, asking. */
const KEPT = /^(?:!|not|return|await|yield|defer|synchronized|volatile|weak|yield from|go)$/;
const NOTHING = /^(?:nil|null|None|undefined|true|0)$/;

/** What the only change of a line does to it, where that turns its meaning or takes away something that it did. */
export function describeReversal(before: string, after: string): string | undefined {
	const old = before.match(TOKENS) ?? [];
	const fresh = after.match(TOKENS) ?? [];
	const [start, oldEnd, freshEnd] = findDifference(old, fresh);
	const [gone, come] = [old.slice(start, oldEnd), fresh.slice(start, freshEnd)];
	const [was, is] = [gone.join(" "), come.join(" ")];
	if (isTurn(was, is)) return `\`${was}\` became \`${is}\``;
	if (is === "") return describeLoss(was, old[start - 1] ?? "");
	if (was === "") {
		const isTurning = /^(?:!|not)$/.test(is) || /^[-+] 1$/.test(is) || FACTOR.test(is);
		return isTurning ? `\`${is}\` was added` : undefined;
	}
	if (/\berr(?:or)?\b|\bErr\b/.test(was) && NOTHING.test(is)) return `\`${was}\` became \`${is}\``;
	if (
		was.startsWith("?.") &&
		/^(?:! )?[.[(]/.test(is) &&
		!is.includes("?.") &&
		was.includes("??") !== is.includes("??")
	)
		return "the case that it is missing was removed";
	if (was === "?." && /^(?:! )?\.$/.test(is)) return "`?.` was removed";
	return describeExchange(gone, come) ?? describeUnwrapped(old, fresh);
}

function isTurn(a: string, b: string): boolean {
	return TURNS.some(([one, other]) => (a === one && b === other) || (a === other && b === one));
}

/** `before` is the word that stood before it. */
function describeLoss(was: string, before: string): string | undefined {
	const isCondition = /^(?:&&|\|\||and|or) |(?: (?:&&|\|\||and|or))$/.test(was);
	const isCall = /^(?:\.|->|\?\.) \w+ \(.*\)(?: \?)?$/.test(was);
	const isDefault = /^(?:\?\?|\|\|) /.test(was);
	const isFlag = /^, (?:\w+ [=:] )?(?:true|True|10|\w*strict\w*)$/i.test(was);
	const isOne = /^[-+] 1$/.test(was) || FACTOR.test(was);
	const isMark = KEPT.test(was) || (was === "?" && before === ")");
	return isCondition || isCall || isDefault || isFlag || isOne || isMark
		? `\`${was}\` was removed`
		: undefined;
}

/** `a - b` became `b - a`, or two arguments changed places. */
function describeExchange(gone: readonly string[], come: readonly string[]): string | undefined {
	if (gone.length !== come.length || gone.length < 3) return undefined;
	for (let at = 1; at < gone.length - 1; at += 1) {
		const between = gone[at] ?? "";
		if (!/^(?:[-/%<>]|[<>]=|,)$/.test(between)) continue;
		const turned = [...gone.slice(at + 1), between, ...gone.slice(0, at)];
		if (turned.every((token, place) => token === come[place]))
			return between === "," ? "two values changed places" : `the sides of \`${between}\` were exchanged`;
	}
	// `b.date - a.date`: what both sides end with was no difference.
	const [first, last] = [gone[0] ?? "", gone.at(-1) ?? ""];
	const isExchanged =
		first !== last &&
		first === come.at(-1) &&
		last === come[0] &&
		gone.slice(1, -1).join(" ") === come.slice(1, -1).join(" ");
	const between = gone.slice(1, -1).find((token) => /^(?:[-/%<>]|[<>]=|,)$/.test(token));
	return isExchanged && between !== undefined
		? between === ","
			? "two values changed places"
			: `the sides of \`${between}\` were exchanged`
		: undefined;
}

/** `f(x)` became `x`. */
function describeUnwrapped(old: readonly string[], fresh: readonly string[]): string | undefined {
	for (let at = 0; at + 1 < old.length; at += 1) {
		if (
			old[at + 1] !== "(" ||
			!/^[A-Za-z_$][\w$]*$/.test(old[at] ?? "") ||
			/^(?:if|for|while|switch|return)$/.test(old[at] ?? "")
		)
			continue;
		const close = findClosing(old, at + 1);
		const without = [...old.slice(0, at), ...old.slice(at + 2, close), ...old.slice(close + 1)];
		if (close !== -1 && close > at + 2 && without.join(" ") === fresh.join(" "))
			return `\`${old[at]}()\` around it was removed`;
	}
	return undefined;
}

function findClosing(tokens: readonly string[], open: number): number {
	let depth = 0;
	for (let at = open; at < tokens.length; at += 1) {
		if (tokens[at] === "(") depth += 1;
		if (tokens[at] === ")") depth -= 1;
		if (depth === 0) return at;
	}
	return -1;
}

/** Where two lists begin to differ, and where they are the same again. */
function findDifference(
	old: readonly string[],
	fresh: readonly string[],
): [start: number, oldEnd: number, freshEnd: number] {
	let start = 0;
	while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
	let end = 0;
	while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end))
		end += 1;
	return [start, old.length - end, fresh.length - end];
}
