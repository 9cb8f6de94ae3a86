/** What the report of the fixtures contains, and how to see that it is still there. */
const CHECKS: readonly (readonly [string, RegExp])[] = [
	["heading Overview", /^#{1,6} .*Overview/m],
	["heading Cargo", /^#{1,6} .*Cargo/m],
	["heading Steps", /^#{1,6} .*Steps/m],
	["bold", /\*\*412 ships\*\*/],
	["italic", /[*_]2025[*_]/],
	["link", /\[port\s+authority\]\(https:\/\/port\.example\.org\/stats\?year=2025\)/],
	["text in other scripts", /Ünïcödé[\s\S]{1,20}港口[\s\S]{1,20}☃/],
	["row of a table", /^\| *Grain *\| *1200 *\| *40% *\|/m],
	["row with a pipe", /^\| *Ore \\\| coal *\| *1500/m],
	["numbered list", /^ *1\. +Arrive\n(?:\n| )*2\. +Unload/m],
	["nested list", /^ {2,4}[-*+] +crane/m],
	["bullets", /^[-*+] +alpha\n\n?[-*+] +beta/m],
	["code with its indentation", /def tonnes\(ship\):\n(?: {4}){1,2}return ship\.load \\?\* 2/],
	["footnote", /footnote\.\[\^\d+\]/],
];

export const MOST = CHECKS.length;

export function scoreReport(markdown: string): { kept: number; lost: string[] } {
	const lost = CHECKS.filter(([, pattern]) => !pattern.test(markdown)).map(([name]) => name);
	return { kept: CHECKS.length - lost.length, lost };
}
