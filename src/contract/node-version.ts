/** Major and minor. */
type NodeVersion = readonly [major: number, minor: number];

/** The oldest Node that this package runs on. What it starts may need a newer one: pi says so in its own manifest. */
export const OLDEST_NODE: NodeVersion = [20, 19];

/** Of a version such as `22.19.0`, or of a range such as `>=22.19.0`. */
export function parseNodeVersion(text: string): NodeVersion {
	const [major, minor] = text
		.replace(/^[^\d]*/, "")
		.split(".")
		.map((part) => Number.parseInt(part, 10) || 0);
	return [major ?? 0, minor ?? 0];
}

export function isNodeOlder(oldest: NodeVersion, version: string = process.versions.node): boolean {
	const [major, minor] = parseNodeVersion(version);
	return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

/** What locks a Node process: the permission model was an experiment before 22.13. */
export function permissionFlag(version: string = process.versions.node): string {
	return isNodeOlder([22, 13], version) ? "--experimental-permission" : "--permission";
}
