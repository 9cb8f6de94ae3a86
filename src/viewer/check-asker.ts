import type { IncomingMessage } from "node:http";
import { isSameToken } from "@deputize/ground";

/** What a request must show to be answered. */
export interface ViewLock {
	readonly port: number;
	/** First part of every path, as `/view-<id>/`. */
	readonly base: string;
	/** The value of the cookie, which no address contains. */
	readonly session: string;
	/** Tokens of addresses that were given out, each good for one cookie, and whether it was used. */
	readonly entries: Map<string, "new" | "used">;
}

export const COOKIE_NAME = "deputize_view";

/** How a request is refused; undefined when it may be answered. */
interface Refusal {
	readonly status: 401 | 403 | 404 | 405 | 421;
	readonly message: string;
}

/**
 * A page of a stranger in the same browser can send requests here: through a name that points to this machine (the Host
 * header has that name), or directly (Origin and Sec-Fetch-Site say so). It can read nothing without the cookie, and
 * there is nothing it could change.
 */
export function checkAsker(request: IncomingMessage, lock: ViewLock, now: URL): Refusal | undefined {
	const { headers, method } = request;
	const origins = [`127.0.0.1:${lock.port}`, `localhost:${lock.port}`];
	if (!origins.includes(headers.host ?? "")) return { status: 421, message: "This name is not served here." };
	if (method !== "GET" && method !== "HEAD")
		return { status: 405, message: "Nothing can be changed from here." };
	if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
		return { status: 403, message: "Requests from other pages are not answered." };
	if (!now.pathname.startsWith(lock.base)) return { status: 404, message: "There is nothing here." };
	if (isSameToken(readCookie(headers.cookie ?? ""), lock.session)) return undefined;
	const entry = [...lock.entries].find(([token]) => isSameToken(now.searchParams.get("token") ?? "", token));
	if (entry?.[1] === "new") return undefined;
	return { status: 401, message: entry === undefined ? NOT_KNOWN : USED };
}

const NOT_KNOWN = "Open the address that deputize view printed, with its token.";
const USED =
	"This address was opened before, and each opens the page once. Use the browser that opened it, or ask for a new address: deputize view, in pi /toolkit view.";

/** A link on another page may open the page itself; it may not load parts of it. */
export function isForeignPart(request: IncomingMessage): boolean {
	const site = request.headers["sec-fetch-site"];
	return site !== undefined && site !== "same-origin" && site !== "none";
}

function readCookie(cookies: string): string {
	const prefix = `${COOKIE_NAME}=`;
	const found = cookies.split(";").find((cookie) => cookie.trim().startsWith(prefix));
	return found?.trim().slice(prefix.length) ?? "";
}
