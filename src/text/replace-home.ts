/** Shorter ones (`/`, `C:`) are part of too many other paths. */
const MINIMUM_HOME_LENGTH = 4;

/**
 * Shows the given home directory as `~`. Only whole path components count: with `/home/ann`, neither `/home/anna`
 * nor `/mnt/home/ann` changes. Homes of other people are evidence and stay.
 */
export function replaceHome(text: string, home: string): string {
	const directory = home.replace(/[\\/]{1,8}$/, "");
	if (directory.length < MINIMUM_HOME_LENGTH || !/[\\/]/.test(directory)) return text;
	return replaceDirectory(replaceDirectory(text, directory), directory.replaceAll("\\", "\\\\"));
}

function replaceDirectory(text: string, directory: string): string {
	const pieces: string[] = [];
	let position = 0;
	for (
		let found = text.indexOf(directory);
		found !== -1;
		found = text.indexOf(directory, found + directory.length)
	) {
		if (!isWholePath(text, found, found + directory.length)) continue;
		pieces.push(text.slice(position, found), "~");
		position = found + directory.length;
	}
	pieces.push(text.slice(position));
	return pieces.join("");
}

function isWholePath(text: string, start: number, end: number): boolean {
	const before = text.slice(Math.max(0, start - 3), start);
	const startsHere = !/[\w.~\-/\\@%]$/.test(before) || before.endsWith("://") || /\\[nrt]$/.test(before);
	return startsHere && !/[\w.\-@%]/.test(text.charAt(end))
		? true
		: startsHere && /^\.(?:\s|$)/.test(text.slice(end, end + 2));
}
