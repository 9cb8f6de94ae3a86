/**
 * Names that mean this machine or its network whatever a resolver answers. They are refused before any lookup,
 * so that a search domain or a split-horizon resolver is not even asked.
 */
const PRIVATE_SUFFIXES = [
	"localhost",
	"local",
	"internal",
	"localdomain",
	"home.arpa",
	"intranet",
	"lan",
	"corp",
];

export function findHostnameObjection(hostname: string): string | undefined {
	let name = hostname.toLowerCase();
	while (name.endsWith(".")) name = name.slice(0, -1);
	if (name === "") return "empty host name";
	const suffix = PRIVATE_SUFFIXES.find((entry) => name === entry || name.endsWith(`.${entry}`));
	return suffix === undefined ? undefined : `names under "${suffix}" are private`;
}
