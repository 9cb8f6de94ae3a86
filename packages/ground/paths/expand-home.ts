/** `~` and `~/…` as the home directory. */
export function expandHome(path: string, home: string): string {
	return /^~(?=$|[/\\])/.test(path) ? `${home}${path.slice(1)}` : path;
}
