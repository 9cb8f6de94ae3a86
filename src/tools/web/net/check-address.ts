import ipaddr from "ipaddr.js";

/** Global unicast, the only block of IPv6 from which public hosts are numbered. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Says why an address must not be connected to, or undefined when it is an ordinary public one. Everything that
 * is not plainly public is refused: loopback, private, link-local (cloud metadata), carrier NAT, multicast,
 * reserved blocks, and every IPv6 form that carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo).
 */
export function findAddressObjection(address: string): string | undefined {
	if (!ipaddr.isValid(address)) return "not an IP address";
	const parsed = ipaddr.process(address);
	const range = parsed.range();
	if (range !== "unicast") return range;
	if (parsed instanceof ipaddr.IPv6 && !parsed.match(IPV6_GLOBAL)) return "outside global unicast";
	return undefined;
}

export function isIpLiteral(hostname: string): boolean {
	return ipaddr.isValid(stripBrackets(hostname));
}

export function stripBrackets(hostname: string): string {
	return hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
}
