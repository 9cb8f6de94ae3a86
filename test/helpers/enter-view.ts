/** Opens the address of a page as a browser does: the token becomes a cookie. Returns how to ask for its parts. */
export async function enterView(address: string): Promise<(path: string) => Promise<Response>> {
	const entry = await fetch(address, { redirect: "manual" });
	const cookie = entry.headers.get("set-cookie")?.split(";")[0];
	if (entry.status !== 303 || cookie === undefined) throw new Error(`${address}: ${entry.status}`);
	const base = new URL(entry.headers.get("location") ?? "", address);
	return (path) => fetch(new URL(path, base), { headers: { cookie } });
}
