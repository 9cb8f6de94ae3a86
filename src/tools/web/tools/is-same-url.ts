export function isSameUrl(left: string, right: string): boolean {
	return left === right || URL.parse(left)?.href === URL.parse(right)?.href;
}
